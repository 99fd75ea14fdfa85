#include <cmath>
#include <limits>

#include "Parser.hpp"

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// The frame being filled and the problem being reported, with one function per field.
struct FrameReader {
  csimdjson_frame &frame;
  csimdjson_problem &problem;
  std::string_view field;

  csimdjson_code wrong_type(element found, int64_t index = -1) {
    return csimdjson::wrong_type(problem, found, field, index);
  }

  csimdjson_code read_number(element value, double &result) {
    // Integers are converted to doubles too; numbers that overflow a double have failed to parse.
    return value.get_double().get(result) ? wrong_type(value) : CSIMDJSON_OK;
  }

  csimdjson_code read_text(element value, csimdjson_text &result, int64_t index = -1) {
    if (value.is_null()) { return CSIMDJSON_OK; }
    std::string_view view;
    if (value.get_string().get(view)) { return wrong_type(value, index); }
    result = csimdjson::text(view);
    return CSIMDJSON_OK;
  }

  /// The array of a value, with its number of elements checked.
  csimdjson_code read_array(element value, size_t count, array &result) {
    if (value.get_array().get(result)) { return wrong_type(value); }
    size_t found = result.size();
    return found == count ? CSIMDJSON_OK
                          : csimdjson::wrong_count(problem, field, found, count);
  }

  csimdjson_code read_numbers(element value, size_t count, bool &present, double *numbers) {
    if (value.is_null()) { return CSIMDJSON_OK; }
    array elements;
    if (auto code = read_array(value, count, elements)) { return code; }
    int64_t index = 0;
    for (auto number : elements) {
      if (number.get_double().get(numbers[index])) { return wrong_type(number, index); }
      index++;
    }
    present = true;
    return CSIMDJSON_OK;
  }

  csimdjson_code read_float(element value, int64_t index, float &result) {
    double number;
    if (value.get_double().get(number)) { return wrong_type(value, index); }
    result = static_cast<float>(number);
    return std::isfinite(result) ? CSIMDJSON_OK
                                 : csimdjson::fail(problem, CSIMDJSON_NOT_FINITE, field, index);
  }

  csimdjson_code read_positions(element value) {
    if (value.is_null()) { return CSIMDJSON_OK; }
    array elements;
    size_t count = frame.joint_count * frame.dimension;
    if (auto code = read_array(value, count, elements)) { return code; }
    size_t index = 0, axis = 0, nulls = 0;
    for (auto number : elements) {
      if (number.type() == element_type::NULL_VALUE) {
        frame.positions[index] = missing;
        nulls++;
      } else if (auto code = read_float(number, int64_t(index), frame.positions[index])) {
        return code;
      }
      index++;
      if (++axis < frame.dimension) { continue; }
      if (nulls != 0 && nulls != frame.dimension) {
        return csimdjson::fail(problem, CSIMDJSON_PARTLY_NULL, field,
                               int64_t(index / frame.dimension) - 1);
      }
      axis = nulls = 0;
    }
    frame.has_pose = true;
    return CSIMDJSON_OK;
  }

  csimdjson_code read_confidences(element value) {
    if (value.is_null()) { return CSIMDJSON_OK; }
    array elements;
    if (auto code = read_array(value, frame.joint_count, elements)) { return code; }
    size_t index = 0;
    for (auto number : elements) {
      if (number.is_null()) {
        frame.confidences[index] = missing;
      } else if (auto code = read_float(number, int64_t(index), frame.confidences[index])) {
        return code;
      }
      index++;
    }
    frame.has_confidences = true;
    return CSIMDJSON_OK;
  }

  csimdjson_code read_answer(element value) {
    if (value.is_null()) { return CSIMDJSON_OK; }
    array elements;
    if (auto code = read_array(value, 2, elements)) { return code; }
    if (auto code = read_text(elements.at(0).value_unsafe(), frame.answer_plank, 0)) {
      return code;
    }
    if (auto code = read_text(elements.at(1).value_unsafe(), frame.answer_form, 1)) {
      return code;
    }
    frame.has_answer = true;
    return CSIMDJSON_OK;
  }

  csimdjson_code read_height(element value) {
    if (value.is_null()) { return CSIMDJSON_OK; }
    frame.has_height = true;
    return read_number(value, frame.height_m);
  }

  /// Reads a field by its key; `bit` is its position among the known keys, 0 for an unknown key.
  csimdjson_code read(std::string_view key, element value, uint32_t &bit) {
    field = key;
    if (key == "t") { return bit = 1, read_number(value, frame.time); }
    if (key == "p") { return bit = 2, read_positions(value); }
    if (key == "up") { return bit = 4, read_numbers(value, 3, frame.has_up, frame.up); }
    if (key == "camera") {
      return bit = 8, read_numbers(value, 16, frame.has_camera, frame.camera);
    }
    if (key == "height_m") { return bit = 16, read_height(value); }
    if (key == "height_estimation") {
      return bit = 32, read_text(value, frame.height_estimation);
    }
    if (key == "c") { return bit = 64, read_confidences(value); }
    if (key == "a") { return bit = 128, read_answer(value); }
    return bit = 0, CSIMDJSON_OK;
  }
};

void clear(csimdjson_frame &frame) {
  frame.has_pose = frame.has_confidences = frame.has_up = frame.has_camera = false;
  frame.has_height = frame.has_answer = false;
  frame.height_estimation = frame.answer_plank = frame.answer_form = {};
}

}  // namespace

csimdjson_code csimdjson_read_frame(
    csimdjson_parser *parser, const uint8_t *line, size_t length, csimdjson_frame *frame,
    csimdjson_problem *problem) {
  clear(*frame);
  parser->keys.clear();
  simdjson::dom::object object;
  if (auto code = csimdjson::parse_object(*parser, line, length, object, *problem)) {
    return code;
  }
  FrameReader reader = {*frame, *problem, {}};
  uint32_t seen = 0;
  for (auto member : object) {
    uint32_t bit = 0;
    auto code = reader.read(member.key, member.value, bit);
    if (seen & bit) { return csimdjson::fail(*problem, CSIMDJSON_REPEATED_KEY, member.key); }
    if (code != CSIMDJSON_OK) { return code; }
    seen |= bit;
    if (bit == 0) { parser->keys.push_back(member.key); }
  }
  if (auto code = csimdjson::find_repeated_key(*parser, *problem)) { return code; }
  if (!(seen & 1)) { return csimdjson::fail(*problem, CSIMDJSON_MISSING_FIELD, "t"); }
  if (!(seen & 2)) { return csimdjson::fail(*problem, CSIMDJSON_MISSING_FIELD, "p"); }
  return CSIMDJSON_OK;
}
