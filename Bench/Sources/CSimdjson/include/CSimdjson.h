#ifndef PLANKLAB_CSIMDJSON_H
#define PLANKLAB_CSIMDJSON_H

// The C door to simdjson: one line of JSON into buffers of the caller.
//
// Lines are parsed with simdjson's DOM parser, so that every byte of a line is checked (UTF-8,
// literals, numbers), even in unused fields. A parser keeps its memory from line to line; parsing a
// line allocates nothing once the longest line has been seen.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A reader of one line at a time; not for two threads at once.
typedef struct csimdjson_parser csimdjson_parser;

/// What is wrong with a line.
typedef enum {
  CSIMDJSON_OK = 0,
  CSIMDJSON_INVALID_UTF8,
  CSIMDJSON_INVALID_NUMBER,
  CSIMDJSON_INVALID_LITERAL,
  CSIMDJSON_INVALID_STRING,
  CSIMDJSON_INCOMPLETE,
  CSIMDJSON_TOO_DEEP,
  CSIMDJSON_NOT_JSON,
  CSIMDJSON_OUT_OF_MEMORY,
  CSIMDJSON_NOT_AN_OBJECT,
  CSIMDJSON_REPEATED_KEY,
  CSIMDJSON_MISSING_FIELD,
  CSIMDJSON_WRONG_TYPE,
  CSIMDJSON_NOT_FINITE,
  CSIMDJSON_WRONG_COUNT,
  CSIMDJSON_PARTLY_NULL
} csimdjson_code;

/// The type of a JSON value.
typedef enum {
  CSIMDJSON_NULL = 0,
  CSIMDJSON_BOOLEAN,
  CSIMDJSON_NUMBER,
  CSIMDJSON_STRING,
  CSIMDJSON_ARRAY,
  CSIMDJSON_OBJECT
} csimdjson_kind;

/// Bytes that are valid until the parser reads its next line; not zero-terminated.
typedef struct {
  const char *bytes;
  size_t length;
} csimdjson_text;

/// The first problem of a line.
typedef struct {
  csimdjson_code code;
  /// The key concerned, if there is one.
  csimdjson_text field;
  /// The element concerned, or for CSIMDJSON_PARTLY_NULL the joint; -1 if there is none.
  int64_t index;
  /// How many elements were found, for CSIMDJSON_WRONG_COUNT.
  int64_t found;
  /// How many elements are allowed, for CSIMDJSON_WRONG_COUNT.
  int64_t expected;
  /// The type found, for CSIMDJSON_WRONG_TYPE.
  csimdjson_kind kind;
} csimdjson_problem;

/// One frame; the caller sets the first four members, and parsing a line sets the others.
typedef struct {
  /// How many numbers a joint has: 3 or 2.
  size_t dimension;
  /// How many joints a frame has.
  size_t joint_count;
  /// Room for joint_count * dimension numbers; NaN for a missing joint.
  float *positions;
  /// Room for joint_count numbers; NaN for a null.
  float *confidences;
  double time;
  bool has_pose;
  bool has_confidences;
  bool has_up;
  bool has_camera;
  bool has_height;
  bool has_answer;
  double up[3];
  double camera[16];
  double height_m;
  /// Without bytes if absent or null.
  csimdjson_text height_estimation;
  csimdjson_text answer_plank;
  csimdjson_text answer_form;
} csimdjson_frame;

/// One value of an object or an array.
typedef struct {
  csimdjson_kind kind;
  /// The number, or 1 for true.
  double number;
  csimdjson_text text;
  /// How many elements an array or an object has.
  size_t count;
} csimdjson_value;

/// How many bytes after a line must be readable; their values do not matter.
size_t csimdjson_padding(void);

/// Makes a parser; NULL if there is no memory.
csimdjson_parser *csimdjson_parser_make(void);

/// Frees a parser and every text that it returned.
void csimdjson_parser_free(csimdjson_parser *parser);

/// Parses a line as a frame; if the result is not CSIMDJSON_OK, `problem` says what is wrong.
csimdjson_code csimdjson_read_frame(
    csimdjson_parser *parser, const uint8_t *line, size_t length, csimdjson_frame *frame,
    csimdjson_problem *problem);

/// Parses a line as any object, whose members are available until the next line is parsed.
csimdjson_code csimdjson_read_object(
    csimdjson_parser *parser, const uint8_t *line, size_t length, csimdjson_problem *problem);

/// How many members the object has.
size_t csimdjson_member_count(const csimdjson_parser *parser);

/// A member's key and value; `index` must be below the count.
csimdjson_value csimdjson_member(
    const csimdjson_parser *parser, size_t index, csimdjson_text *key);

/// Copies the elements of a member that is an array; `elements` has room for its count.
void csimdjson_member_elements(
    const csimdjson_parser *parser, size_t index, csimdjson_value *elements);

#ifdef __cplusplus
}
#endif

#endif
