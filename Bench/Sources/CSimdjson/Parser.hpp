#ifndef PLANKLAB_CSIMDJSON_PARSER_HPP
#define PLANKLAB_CSIMDJSON_PARSER_HPP

#include <simdjson.h>

#include <string_view>
#include <vector>

#include "CSimdjson.h"

struct csimdjson_parser {
  simdjson::dom::parser json;
  /// The members of the object that was read last, for `csimdjson_member`.
  std::vector<simdjson::dom::key_value_pair> members;
  /// Keys of the line at hand, where repeats must be looked for.
  std::vector<std::string_view> keys;
};

namespace csimdjson {

inline csimdjson_text text(std::string_view view) { return {view.data(), view.size()}; }

inline csimdjson_kind kind(simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::NULL_VALUE: return CSIMDJSON_NULL;
    case simdjson::dom::element_type::BOOL: return CSIMDJSON_BOOLEAN;
    case simdjson::dom::element_type::STRING: return CSIMDJSON_STRING;
    case simdjson::dom::element_type::ARRAY: return CSIMDJSON_ARRAY;
    case simdjson::dom::element_type::OBJECT: return CSIMDJSON_OBJECT;
    default: return CSIMDJSON_NUMBER;
  }
}

/// Notes the problem and answers its code.
inline csimdjson_code fail(csimdjson_problem &problem, csimdjson_code code,
                           std::string_view field = {}, int64_t index = -1) {
  problem.code = code;
  problem.field = text(field);
  problem.index = index;
  return code;
}

inline csimdjson_code wrong_type(csimdjson_problem &problem, simdjson::dom::element found,
                                 std::string_view field, int64_t index = -1) {
  problem.kind = kind(found);
  return fail(problem, CSIMDJSON_WRONG_TYPE, field, index);
}

inline csimdjson_code wrong_count(csimdjson_problem &problem, std::string_view field,
                                  size_t found, size_t expected) {
  problem.found = static_cast<int64_t>(found);
  problem.expected = static_cast<int64_t>(expected);
  return fail(problem, CSIMDJSON_WRONG_COUNT, field);
}

/// Parses a line whose root must be an object.
csimdjson_code parse_object(csimdjson_parser &parser, const uint8_t *line, size_t length,
                            simdjson::dom::object &object, csimdjson_problem &problem);

/// Notes a key that occurs twice in `parser.keys`, if there is one; may reorder the keys.
csimdjson_code find_repeated_key(csimdjson_parser &parser, csimdjson_problem &problem);

}  // namespace csimdjson

#endif
