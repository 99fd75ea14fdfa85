#include "pages.h"

#include <string.h>

// Clang can embed files in every version of C, but warns about it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char detector_wasm[] = {
#embed "detector.wasm"
};
static const unsigned char planklab_yml[] = {
#embed "../../docs/ci/planklab.yml"
};
static const unsigned char app_js[] = {
#embed "../PlankBench/Label/Page/app.js"
};
static const unsigned char figure_js[] = {
#embed "../PlankBench/Label/Page/figure.js"
};
static const unsigned char files_js[] = {
#embed "../PlankBench/Label/Page/files.js"
};
static const unsigned char history_js[] = {
#embed "../PlankBench/Label/Page/history.js"
};
static const unsigned char input_js[] = {
#embed "../PlankBench/Label/Page/input.js"
};
static const unsigned char page_css[] = {
#embed "../PlankBench/Label/Page/page.css"
};
static const unsigned char page_html[] = {
#embed "../PlankBench/Label/Page/page.html"
};
static const unsigned char palette_js[] = {
#embed "../PlankBench/Label/Page/palette.js"
};
static const unsigned char panel_js[] = {
#embed "../PlankBench/Label/Page/panel.js"
};
static const unsigned char recording_js[] = {
#embed "../PlankBench/Label/Page/recording.js"
};
static const unsigned char strips_js[] = {
#embed "../PlankBench/Label/Page/strips.js"
};
static const unsigned char timeline_js[] = {
#embed "../PlankBench/Label/Page/timeline.js"
};
static const unsigned char track_js[] = {
#embed "../PlankBench/Label/Page/track.js"
};
static const unsigned char base_css[] = {
#embed "../Reports/Rendering/Page/base.css"
};
static const unsigned char elements_js[] = {
#embed "../Reports/Rendering/Page/elements.js"
};
static const unsigned char matrices_js[] = {
#embed "../Reports/Rendering/Page/matrices.js"
};
static const unsigned char drawings_css[] = {
#embed "../Reports/Pages/Page/drawings.css"
};
static const unsigned char pages_css[] = {
#embed "../Reports/Pages/Page/pages.css"
};
static const unsigned char tables_css[] = {
#embed "../Reports/Rendering/Page/tables.css"
};
static const unsigned char detector_js[] = {
#embed "../PlankBench/Report/Page/detector.js"
};
static const unsigned char report_html[] = {
#embed "../PlankBench/Report/Page/report.html"
};
static const unsigned char report_js[] = {
#embed "../PlankBench/Report/Page/report.js"
};
static const unsigned char ribbons_js[] = {
#embed "../PlankBench/Report/Page/ribbons.js"
};
static const unsigned char viewer_css[] = {
#embed "../PlankBench/Report/Page/viewer.css"
};
static const unsigned char viewer_js[] = {
#embed "../PlankBench/Report/Page/viewer.js"
};
static const unsigned char viewing_js[] = {
#embed "../PlankBench/Report/Page/viewing.js"
};
static const unsigned char address_js[] = {
#embed "../PlankBench/Report/Page/address.js"
};
static const unsigned char moment_js[] = {
#embed "../PlankBench/Report/Page/moment.js"
};
static const unsigned char transport_js[] = {
#embed "../PlankBench/Report/Page/transport.js"
};
static const unsigned char cells_js[] = {
#embed "../PlankBench/Thresholds/Page/cells.js"
};
static const unsigned char engine_js[] = {
#embed "../PlankBench/Thresholds/Page/engine.js"
};
static const unsigned char layout_js[] = {
#embed "../PlankBench/Thresholds/Page/layout.js"
};
static const unsigned char metrics_js[] = {
#embed "../PlankBench/Thresholds/Page/metrics.js"
};
static const unsigned char plateau_js[] = {
#embed "../PlankBench/Thresholds/Page/plateau.js"
};
static const unsigned char scores_js[] = {
#embed "../PlankBench/Thresholds/Page/scores.js"
};
static const unsigned char settings_js[] = {
#embed "../PlankBench/Thresholds/Page/settings.js"
};
static const unsigned char sweep_wasm[] = {
#embed "../PlankBench/Thresholds/Page/sweep.wasm"
};
static const unsigned char thresholds_css[] = {
#embed "../PlankBench/Thresholds/Page/thresholds.css"
};
static const unsigned char thresholds_html[] = {
#embed "../PlankBench/Thresholds/Page/thresholds.html"
};
static const unsigned char thresholds_js[] = {
#embed "../PlankBench/Thresholds/Page/thresholds.js"
};
static const unsigned char unpack_js[] = {
#embed "../PlankBench/Thresholds/Page/unpack.js"
};
static const unsigned char movie_landmarks_py[] = {
#embed "../PlankBench/Record/Script/movie_landmarks.py"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const page_file files[] = {
    FILE_OF("detector.wasm", detector_wasm),
    FILE_OF("app.js", app_js),
    FILE_OF("figure.js", figure_js),
    FILE_OF("files.js", files_js),
    FILE_OF("history.js", history_js),
    FILE_OF("input.js", input_js),
    FILE_OF("page.css", page_css),
    FILE_OF("page.html", page_html),
    FILE_OF("palette.js", palette_js),
    FILE_OF("panel.js", panel_js),
    FILE_OF("recording.js", recording_js),
    FILE_OF("strips.js", strips_js),
    FILE_OF("timeline.js", timeline_js),
    FILE_OF("track.js", track_js),
    FILE_OF("base.css", base_css),
    FILE_OF("elements.js", elements_js),
    FILE_OF("matrices.js", matrices_js),
    FILE_OF("drawings.css", drawings_css),
    FILE_OF("pages.css", pages_css),
    FILE_OF("tables.css", tables_css),
    FILE_OF("detector.js", detector_js),
    FILE_OF("report.html", report_html),
    FILE_OF("report.js", report_js),
    FILE_OF("ribbons.js", ribbons_js),
    FILE_OF("viewer.css", viewer_css),
    FILE_OF("viewer.js", viewer_js),
    FILE_OF("viewing.js", viewing_js),
    FILE_OF("address.js", address_js),
    FILE_OF("moment.js", moment_js),
    FILE_OF("transport.js", transport_js),
    FILE_OF("cells.js", cells_js),
    FILE_OF("engine.js", engine_js),
    FILE_OF("layout.js", layout_js),
    FILE_OF("metrics.js", metrics_js),
    FILE_OF("plateau.js", plateau_js),
    FILE_OF("scores.js", scores_js),
    FILE_OF("settings.js", settings_js),
    FILE_OF("sweep.wasm", sweep_wasm),
    FILE_OF("thresholds.css", thresholds_css),
    FILE_OF("thresholds.html", thresholds_html),
    FILE_OF("thresholds.js", thresholds_js),
    FILE_OF("planklab.yml", planklab_yml),
    FILE_OF("unpack.js", unpack_js),
    FILE_OF("movie_landmarks.py", movie_landmarks_py),
};

page_file page_file_named(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof files[0]; ++index) {
    if (strcmp(files[index].name, name) == 0) return files[index];
  }
  return (page_file){name, NULL, 0};
}
