#include "Parser.hpp"

using simdjson::dom::element;

static csimdjson_value value_of(element value) {
  csimdjson_value result = {};
  result.kind = csimdjson::kind(value);
  switch (result.kind) {
    case CSIMDJSON_BOOLEAN: result.number = bool(value) ? 1 : 0; break;
    case CSIMDJSON_NUMBER: result.number = double(value); break;
    case CSIMDJSON_STRING: result.text = csimdjson::text(std::string_view(value)); break;
    case CSIMDJSON_ARRAY: result.count = simdjson::dom::array(value).size(); break;
    case CSIMDJSON_OBJECT: result.count = simdjson::dom::object(value).size(); break;
    case CSIMDJSON_NULL: break;
  }
  return result;
}

csimdjson_code csimdjson_read_object(
    csimdjson_parser *parser, const uint8_t *line, size_t length, csimdjson_problem *problem) {
  simdjson::dom::object object;
  parser->members.clear();
  parser->keys.clear();
  auto code = csimdjson::parse_object(*parser, line, length, object, *problem);
  if (code != CSIMDJSON_OK) { return code; }
  for (auto member : object) {
    parser->members.push_back(member);
    parser->keys.push_back(member.key);
  }
  return csimdjson::find_repeated_key(*parser, *problem);
}

size_t csimdjson_member_count(const csimdjson_parser *parser) { return parser->members.size(); }

csimdjson_value csimdjson_member(
    const csimdjson_parser *parser, size_t index, csimdjson_text *key) {
  *key = csimdjson::text(parser->members[index].key);
  return value_of(parser->members[index].value);
}

void csimdjson_member_elements(
    const csimdjson_parser *parser, size_t index, csimdjson_value *elements) {
  for (auto value : simdjson::dom::array(parser->members[index].value)) {
    *elements++ = value_of(value);
  }
}
