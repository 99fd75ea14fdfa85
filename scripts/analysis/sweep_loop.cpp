// The plank sweep as a plain loop in C++, on the columns of `planklab-benchmarks sweep-columns DIR`.
//
//   c++ -O3 -march=native -std=c++17 scripts/analysis/sweep_loop.cpp -o sweep_loop && ./sweep_loop DIR
//
// One thread, a cell after another, a frame after another: what anybody would write first. Counts are
// compared with those of the bit-parallel sweep for every cell in cells.csv; a difference ends the
// program with an error.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

constexpr double hold_seconds = 0.5, slack = 1e-9, rate = 30;
enum { none, forearm, high, side_left, side_right, reverse, classes };

struct Cell {
  float horizontal, reverse_cosine, side, elbow;
  int frames;
  long transitions;
  std::array<long, classes * classes> confusion;
};

struct Data {
  std::vector<size_t> lengths;
  std::vector<uint8_t> truth;
  std::vector<float> columns;
};

static std::vector<char> bytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(66);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

static Data load(const std::string &folder) {
  Data data;
  std::ifstream lengths(folder + "/lengths.csv");
  std::string line;
  std::getline(lengths, line);
  while (std::getline(lengths, line)) data.lengths.push_back(std::stoul(line));
  for (char code : bytes(folder + "/truth.u8")) data.truth.push_back(static_cast<uint8_t>(code));
  const std::vector<char> columns = bytes(folder + "/columns.f32");
  const float *numbers = reinterpret_cast<const float *>(columns.data());
  data.columns.assign(numbers, numbers + columns.size() / sizeof(float));
  return data;
}

static std::vector<Cell> cells(const std::string &folder) {
  std::vector<Cell> cells;
  std::ifstream file(folder + "/cells.csv");
  std::string line, field;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<double> row;
    for (std::istringstream fields(line); std::getline(fields, field, ',');)
      row.push_back(std::stod(field));
    Cell cell{static_cast<float>(row[0]), static_cast<float>(row[1]), static_cast<float>(row[2]),
              static_cast<float>(row[3]), static_cast<int>(row[4]), static_cast<long>(row[5]), {}};
    for (int n = 0; n < classes * classes; n++) cell.confusion[n] = static_cast<long>(row[6 + n]);
    cells.push_back(cell);
  }
  return cells;
}

static Cell count(const Data &data, const Cell &wanted) {
  Cell found = wanted;
  found.transitions = 0;
  found.confusion = {};
  const size_t total = data.truth.size();
  const float *ratio = data.columns.data(), *rise = ratio + total, *cosine = rise + total,
              *angle = cosine + total;
  size_t start = 0;
  for (size_t length : data.lengths) {
    int answer = none, candidate = none, run = 0, before = none;
    double seen = -INFINITY;
    for (size_t frame = 0; frame < length; frame++) {
      const size_t at = start + frame;
      const double time = frame / rate;
      const bool near = time - seen <= hold_seconds + slack;
      if (!(std::isnan(ratio[at]) || std::isnan(rise[at]) || std::isnan(cosine[at]) ||
            std::isnan(angle[at]))) {
        const int label = ratio[at] >= wanted.horizontal        ? none
                          : rise[at] > wanted.side              ? side_left
                          : rise[at] < -wanted.side             ? side_right
                          : cosine[at] > wanted.reverse_cosine  ? reverse
                          : angle[at] > wanted.elbow            ? high
                                                                : forearm;
        if (!near) answer = none;
        run = near && label == candidate ? run + 1 : 1;
        candidate = label;
        if (run >= wanted.frames) answer = label;
        seen = time;
      } else if (!near) {
        answer = none;
      }
      const uint8_t truth = data.truth[at];
      if (truth < classes) {
        found.confusion[truth * classes + answer]++;
        if (frame > 0 && data.truth[at - 1] < classes && answer != before) found.transitions++;
      }
      before = answer;
    }
    start += length;
  }
  return found;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: sweep_loop DIR\n");
    return 64;
  }
  const Data data = load(argv[1]);
  const std::vector<Cell> wanted = cells(argv[1]);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Cell> found;
  for (const Cell &cell : wanted) found.push_back(count(data, cell));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  for (size_t n = 0; n < wanted.size(); n++)
    if (found[n].confusion != wanted[n].confusion || found[n].transitions != wanted[n].transitions) {
      std::fprintf(stderr, "cell %zu of cells.csv differs\n", n);
      return 1;
    }
  std::printf("C++: %zu cells x %zu frames in %.2f s, %.3f ns per cell and frame; every count equal\n",
              wanted.size(), data.truth.size(), seconds.count(),
              seconds.count() / wanted.size() / data.truth.size() * 1e9);
}
