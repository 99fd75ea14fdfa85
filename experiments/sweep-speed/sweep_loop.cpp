// The plank sweep as a plain loop in C++, on the columns of `planklab-benchmarks peers --keep DIR`.
//
//   c++ -O3 -march=native -std=c++17 experiments/sweep-speed/sweep_loop.cpp -o sweep_loop && ./sweep_loop DIR
//
// One thread, a cell after another, a frame after another: what anybody would write first. Prints
// nanoseconds of processor time per cell and frame, and a checksum of all counts, which
// `planklab-benchmarks peers` compares with that of the bit-parallel sweep.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

constexpr double hold_seconds = 0.5, slack = 1e-9;
enum { none, forearm, high, side_left, side_right, reverse, classes };

struct Cell {
  float horizontal, reverse_cosine, side, elbow;
  int frames;
};

struct Counts {
  std::array<long, classes * classes> confusion{};
  long transitions = 0;
};

struct Sequence {
  size_t length;
  bool starts_mid;
};

struct Data {
  std::vector<Sequence> sequences;
  std::vector<double> times;
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

template <typename Number> static std::vector<Number> numbers(const std::string &path) {
  const std::vector<char> text = bytes(path);
  std::vector<Number> numbers(text.size() / sizeof(Number));
  std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof(Number));
  return numbers;
}

static Data load(const std::string &folder) {
  Data data;
  std::ifstream lengths(folder + "/lengths.csv");
  std::string line;
  std::getline(lengths, line);
  while (std::getline(lengths, line))
    data.sequences.push_back({std::stoul(line), line.back() == '1'});
  for (char code : bytes(folder + "/truth.u8")) data.truth.push_back(static_cast<uint8_t>(code));
  data.times = numbers<double>(folder + "/times.f64");
  data.columns = numbers<float>(folder + "/columns.f32");
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
    cells.push_back({static_cast<float>(row[0]), static_cast<float>(row[1]),
                     static_cast<float>(row[2]), static_cast<float>(row[3]),
                     static_cast<int>(row[4])});
  }
  return cells;
}

static Counts count(const Data &data, const Cell &cell) {
  Counts found;
  const size_t total = data.truth.size();
  const float *ratio = data.columns.data(), *rise = ratio + total, *cosine = rise + total,
              *angle = cosine + total;
  size_t start = 0;
  for (const Sequence &sequence : data.sequences) {
    bool starts_mid = sequence.starts_mid;
    int answer = none, candidate = none, run = 0, before = none;
    double seen = -INFINITY;
    for (size_t frame = 0; frame < sequence.length; frame++) {
      const size_t at = start + frame;
      const double time = data.times[at];
      const bool near = time - seen <= hold_seconds + slack;
      if (!(std::isnan(ratio[at]) || std::isnan(rise[at]) || std::isnan(cosine[at]) ||
            std::isnan(angle[at]))) {
        const int label = ratio[at] >= cell.horizontal        ? none
                          : rise[at] > cell.side              ? side_left
                          : rise[at] < -cell.side             ? side_right
                          : cosine[at] > cell.reverse_cosine  ? reverse
                          : angle[at] > cell.elbow            ? high
                                                                : forearm;
        if (!near) answer = none;
        run = near && label == candidate ? run + 1 : 1;
        candidate = label;
        if (run >= cell.frames || starts_mid) answer = label;
        starts_mid = false;
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
    start += sequence.length;
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
  const std::clock_t begin = std::clock();
  std::vector<Counts> found;
  for (const Cell &cell : wanted) found.push_back(count(data, cell));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  // FNV-1a over 64-bit words.
  uint64_t checksum = 0xcbf29ce484222325;
  for (const Counts &counts : found) {
    for (long number : counts.confusion) checksum = (checksum ^ number) * 0x100000001b3;
    checksum = (checksum ^ counts.transitions) * 0x100000001b3;
  }
  std::printf("%.4f %llx\n", seconds / wanted.size() / data.truth.size() * 1e9,
              static_cast<unsigned long long>(checksum));
}
