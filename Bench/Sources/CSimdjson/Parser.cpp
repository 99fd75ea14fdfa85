#include "Parser.hpp"

#include <algorithm>
#include <new>

namespace csimdjson {

/// Beyond this many keys, they are sorted to find repeats, so that no line takes quadratic time.
constexpr size_t few_keys = 16;

static csimdjson_code code_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::SUCCESS: return CSIMDJSON_OK;
    case simdjson::UTF8_ERROR: return CSIMDJSON_INVALID_UTF8;
    case simdjson::NUMBER_ERROR: return CSIMDJSON_INVALID_NUMBER;
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR: return CSIMDJSON_INVALID_LITERAL;
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS: return CSIMDJSON_INVALID_STRING;
    case simdjson::UNCLOSED_STRING:
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return CSIMDJSON_INCOMPLETE;
    case simdjson::DEPTH_ERROR: return CSIMDJSON_TOO_DEEP;
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC: return CSIMDJSON_OUT_OF_MEMORY;
    default: return CSIMDJSON_NOT_JSON;
  }
}

csimdjson_code parse_object(csimdjson_parser &parser, const uint8_t *line, size_t length,
                            simdjson::dom::object &object, csimdjson_problem &problem) {
  problem = {};
  problem.index = -1;
  simdjson::dom::element root;
  // Without a copy: the caller guarantees readable bytes after the line.
  if (auto error = parser.json.parse(line, length, false).get(root)) {
    return fail(problem, code_of(error));
  }
  if (root.get_object().get(object)) { return fail(problem, CSIMDJSON_NOT_AN_OBJECT); }
  return CSIMDJSON_OK;
}

csimdjson_code find_repeated_key(csimdjson_parser &parser, csimdjson_problem &problem) {
  auto &keys = parser.keys;
  if (keys.size() > few_keys) {
    std::sort(keys.begin(), keys.end());
    auto twin = std::adjacent_find(keys.begin(), keys.end());
    return twin == keys.end() ? CSIMDJSON_OK : fail(problem, CSIMDJSON_REPEATED_KEY, *twin);
  }
  for (size_t i = 1; i < keys.size(); i++) {
    for (size_t k = 0; k < i; k++) {
      if (keys[i] == keys[k]) { return fail(problem, CSIMDJSON_REPEATED_KEY, keys[i]); }
    }
  }
  return CSIMDJSON_OK;
}

}  // namespace csimdjson

size_t csimdjson_padding(void) { return simdjson::SIMDJSON_PADDING; }

csimdjson_parser *csimdjson_parser_make(void) {
  auto *parser = new (std::nothrow) csimdjson_parser;
  if (parser) { parser->keys.reserve(csimdjson::few_keys); }
  return parser;
}

void csimdjson_parser_free(csimdjson_parser *parser) { delete parser; }
