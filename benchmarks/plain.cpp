// The peer of the benchmarks: classic Dalapapa in plain C++17, one thread, no libraries.
//
//   g++ -std=c++17 -O3 -march=native -o plain plain.cpp
//   export DOMINOES=FILE   lines "NAME RECTO VERSO", as `dalapapa tiles` has them
//   ./plain games N SEED   N two-player games to 60 between greedy players; one JSON line
//   ./plain best           lines "POSITION | HAND" from stdin; the points of the best turn
//                          of each ("none" where nothing can be laid), seconds on stderr
//
// It shares nothing with the engine of the project but the rules. A dense board holds the
// colours of the four sides of every cell; every pose is tried on every empty cell beside a
// domino; points come from laying the domino, flooding the groups of its new discs and taking
// it back; the best turn comes from looking at every turn in both orders. Nothing is pruned.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// -- the dominoes ----------------------------------------------------------------------------

enum Direction { NORTH, EAST, SOUTH, WEST };
enum Slot { W, NW, NE, E, SE, SW };   // The half-discs of a face, clockwise from the west end.
using Cell = std::array<uint8_t, 4>;  // The colours of four sides (1 to 4); all 0 while empty.

// Which half of a flat domino a slot belongs to (0 west, 1 east), and where it looks.
const int HALF[6] = {0, 0, 1, 1, 1, 0}, LOOKS[6] = {WEST, NORTH, NORTH, EAST, SOUTH, SOUTH};

struct Face {
    uint8_t half[6];
    Cell cells[4][2];  // At each rotation, the sides of the first and of the second half.
};

struct Domino {
    std::string name;
    Face faces[2];
};

// Seven letters, in the order C W NW NE E SE SW (docs/tiles.md).
Face make_face(const std::string& seven) {
    auto colour = [&](int place) { return uint8_t(std::string(" RYGB").find(seven.at(place))); };
    Face face;
    for (int rotation = 0; rotation < 4; ++rotation) {
        Cell* cells = face.cells[rotation];
        cells[0][(EAST + rotation) & 3] = cells[1][(WEST + rotation) & 3] = colour(0);  // The centre.
        for (int slot = 0; slot < 6; ++slot) {
            face.half[slot] = colour(slot + 1);
            cells[HALF[slot]][(LOOKS[slot] + rotation) & 3] = face.half[slot];
        }
    }
    return face;
}

// The set is that of Python, so that the two can never differ: a name, recto and verso in a line.
std::vector<Domino> make_dominoes() {
    const char* path = std::getenv("DOMINOES");
    std::ifstream file(path ? path : "");
    std::vector<Domino> dominoes;
    for (std::string name, recto, verso; file >> name >> recto >> verso;)
        dominoes.push_back({name, {make_face(recto), make_face(verso)}});
    return dominoes;
}

const std::vector<Domino> DOMINOES = make_dominoes();

int domino_named(const std::string& name) {
    for (size_t i = 0; i < DOMINOES.size(); ++i)
        if (DOMINOES[i].name == name) return int(i);
    throw std::runtime_error("There is no domino " + name + ".");
}

// -- the board -------------------------------------------------------------------------------

// 120 dominoes in a row from the origin reach cell 239; a try looks at most three cells on.
const int WIDTH = 490, AREA = WIDTH * WIDTH, ORIGIN = 245 * WIDTH + 245;
const int STEP[4] = {-WIDTH, 1, WIDTH, -1};

struct Laying {
    int domino, side, rotation, cell;
    int second() const { return cell + STEP[(EAST + rotation) & 3]; }
};

class Board {
  public:
    int64_t layings_scored = 0;

    size_t size() const { return placed.size(); }

    void clear() {
        for (const Placed& one : placed)
            for (int cell : {one.first, one.second}) cells[cell] = Cell{}, listed[cell] = false;
        for (int cell : frontier) listed[cell] = false;
        placed.clear();
        frontier.clear();
        if (stamp >> 31) std::fill(seen.begin(), seen.end(), stamp = 0);  // Before it runs over.
    }

    void lay(const Laying& l) {
        placed.push_back({l.cell, l.second(), frontier.size()});
        cover(l);
        for (int cell : {l.cell, l.second()})
            for (int step : STEP)
                if (!covered(cell + step) && !listed[cell + step]) {
                    listed[cell + step] = true;
                    frontier.push_back(cell + step);
                }
    }

    void take_back() {
        Placed last = placed.back();
        placed.pop_back();
        cells[last.first] = cells[last.second] = Cell{};
        for (; frontier.size() > last.frontier_before; frontier.pop_back())
            listed[frontier.back()] = false;
    }

    // Drop the covered cells from the frontier. What lies now is not taken back any more.
    void tidy() {
        auto gone = [this](int cell) { return covered(cell); };
        frontier.erase(std::remove_if(frontier.begin(), frontier.end(), gone), frontier.end());
    }

    // Call `visit` with every legal laying of a domino, each once.
    template <class Visit>
    void each_legal(int domino, Visit visit) const {
        if (placed.empty()) {
            for (int pose = 0; pose < 8; ++pose) visit(Laying{domino, pose / 4, pose % 4, ORIGIN});
            return;
        }
        const Face* faces = DOMINOES[domino].faces;
        for (size_t i = 0, count = frontier.size(); i < count; ++i) {
            int here = frontier[i];
            if (covered(here)) continue;
            for (int rotation = 0; rotation < 4; ++rotation) {
                int near = here + STEP[(EAST + rotation) & 3];
                if (covered(near) || (listed[near] && near < here)) continue;  // Or met twice.
                uint8_t around[6];
                look_around(here, near, rotation, around);
                for (int side = 0; side < 2; ++side) {
                    if (fits(faces[side], around, 0)) visit(Laying{domino, side, rotation, here});
                    if (fits(faces[side], around, 3))
                        visit(Laying{domino, side, rotation ^ 2, near});
                }
            }
        }
    }

    bool legal(const Laying& l) const {
        if (placed.empty()) return l.cell == ORIGIN;
        uint8_t around[6];
        look_around(l.cell, l.second(), l.rotation, around);
        return !covered(l.cell) && !covered(l.second()) && (listed[l.cell] || listed[l.second()]) &&
               fits(DOMINOES[l.domino].faces[l.side], around, 0);
    }

    // The classic points of a legal laying; the board is afterwards as it was.
    int points(const Laying& l) {
        static const int DISC_POINTS[7] = {0, 1, 2, 4, 6, 8, 10};
        ++layings_scored;
        cover(l);
        uint32_t before = stamp;
        int contacts = 0, group_points = closed_size(l.cell, (EAST + l.rotation) & 3, before);
        for (int slot = 0; slot < 6; ++slot) {
            int cell = HALF[slot] ? l.second() : l.cell, direction = (LOOKS[slot] + l.rotation) & 3;
            if (covered(cell + STEP[direction])) {
                ++contacts;
                group_points += closed_size(cell, direction, before);
            }
        }
        cells[l.cell] = cells[l.second()] = Cell{};
        return DISC_POINTS[contacts] + group_points;
    }

  private:
    struct Placed {
        int first, second;
        size_t frontier_before;
    };

    std::vector<Cell> cells = std::vector<Cell>(AREA, Cell{});
    std::vector<uint8_t> listed = std::vector<uint8_t>(AREA, 0);  // Which cells `frontier` holds.
    std::vector<int> frontier;  // The empty cells beside dominoes, and some covered since.
    std::vector<Placed> placed;
    std::vector<uint32_t> seen = std::vector<uint32_t>(2 * AREA, 0);  // By unit edge: which flood.
    uint32_t stamp = 0;
    struct Disc {
        int cell, direction;
    } to_do[480];  // A stack for the flood: 120 centres and 360 contacts are the most there are.

    bool covered(int cell) const { return cells[cell][0] != 0; }

    void cover(const Laying& l) {
        const Cell* halves = DOMINOES[l.domino].faces[l.side].cells[l.rotation];
        cells[l.cell] = halves[0];
        cells[l.second()] = halves[1];
    }

    // The half-discs that the six slots of a domino on two empty cells would meet (0: none).
    void look_around(int first, int second, int rotation, uint8_t around[6]) const {
        for (int slot = 0; slot < 6; ++slot) {
            int direction = (LOOKS[slot] + rotation) & 3;
            around[slot] = cells[(HALF[slot] ? second : first) + STEP[direction]][direction ^ 2];
        }
    }

    // Whether no colours clash; `shift` is 3 for the domino turned by half a turn.
    static bool fits(const Face& face, const uint8_t around[6], int shift) {
        for (int slot = 0; slot < 6; ++slot)
            if (around[slot] && around[slot] != face.half[(slot + shift) % 6]) return false;
        return true;
    }

    // The unit edge on a side of a cell: twice the cell, plus 0 for its north or 1 for its west.
    static int edge(int cell, int direction) {
        static const int OFFSET[4] = {0, 2 + 1, 2 * WIDTH, 1};
        return 2 * cell + OFFSET[direction];
    }

    // The size of a disc's group; 0 if it is open, or was flooded after the stamp `before`.
    int closed_size(int cell, int direction, uint32_t before) {
        if (seen[edge(cell, direction)] > before) return 0;
        uint8_t colour = cells[cell][direction];
        seen[edge(cell, direction)] = ++stamp;
        to_do[0] = {cell, direction};
        int size = 0, left = 1;
        while (left) {
            auto [here, way] = to_do[--left];
            ++size;
            for (int beside : {here, here + STEP[way]})
                for (int across : {(way + 1) & 3, (way + 3) & 3}) {
                    if (cells[beside][across] != colour) continue;
                    if (!covered(beside + STEP[across])) return 0;  // A half-disc: open.
                    uint32_t& mark = seen[edge(beside, across)];
                    if (mark == stamp) continue;
                    mark = stamp;
                    to_do[left++] = {beside, across};
                }
        }
        return size;
    }
};

// -- the best turn ---------------------------------------------------------------------------

const int CHARGE = 4;

struct Turn {
    int points = -CHARGE;  // Net of the charge; every turn has more.
    std::vector<Laying> layings;
};

// The best of all turns with one or two dominoes, in both orders; no layings: none is legal.
Turn best_turn(Board& board, std::vector<int> hand) {
    Turn best;
    board.tidy();
    for (size_t order = 0; order < hand.size(); ++order) {
        board.each_legal(hand[0], [&](const Laying& one) {
            int points = board.points(one);
            if (points > best.points) best = {points, {one}};
            if (hand.size() < 2) return;
            board.lay(one);
            board.each_legal(hand[1], [&](const Laying& two) {
                int net = points + board.points(two) - CHARGE;
                if (net > best.points) best = {net, {one, two}};
            });
            board.take_back();
        });
        std::reverse(hand.begin(), hand.end());
    }
    return best;
}

// -- the two modes ---------------------------------------------------------------------------

double now() {
    std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
    return time.count();
}

struct Counts {
    long long turns = 0, two_domino_turns = 0, dominoes = 0;
};

void play_game(Board& board, std::mt19937_64& random, Counts& counts) {
    const int PLAYERS = 2, TARGET = 60;
    std::vector<int> bag(DOMINOES.size()), hands[PLAYERS];
    for (size_t i = 0; i < bag.size(); ++i) bag[i] = int(i);
    std::shuffle(bag.begin(), bag.end(), random);
    auto draw = [&bag](std::vector<int>& hand) { hand.push_back(bag.back()), bag.pop_back(); };

    board.clear();
    for (int player = 0; player < PLAYERS; ++player) {
        Turn start;
        for (std::vector<int> drawn; start.layings.empty(); drawn.clear()) {
            draw(drawn);
            start = best_turn(board, drawn);
            if (start.layings.empty()) bag.insert(bag.begin(), drawn[0]);
        }
        board.lay(start.layings[0]);
    }
    for (auto& hand : hands) draw(hand), draw(hand);

    int scores[PLAYERS] = {}, passes = 0;
    for (bool last_round = false; !last_round && passes < PLAYERS;)
        for (int player = 0; player < PLAYERS && passes < PLAYERS; ++player) {
            std::vector<int>& hand = hands[player];
            Turn turn = best_turn(board, hand);
            ++passes;
            if (turn.layings.empty()) continue;
            passes = 0;
            for (const Laying& laying : turn.layings) {
                board.lay(laying);
                hand.erase(std::find(hand.begin(), hand.end(), laying.domino));
            }
            while (hand.size() < 2 && !bag.empty()) draw(hand);
            scores[player] += turn.points;
            if (scores[player] >= TARGET) last_round = true;
            ++counts.turns;
            counts.two_domino_turns += turn.layings.size() == 2;
        }
    counts.dominoes += board.size();
}

void games(long long number, uint64_t seed) {
    Board board;
    Counts counts;
    std::mt19937_64 random(seed);
    double start = now();
    for (long long game = 0; game < number; ++game) play_game(board, random, counts);
    std::printf("{\"games\":%lld,\"seconds\":%.6f,\"turns\":%lld,\"two_domino_turns\":%lld,"
                "\"layings_scored\":%lld,\"dominoes_mean\":%.4f}\n",
                number, now() - start, counts.turns, counts.two_domino_turns,
                (long long)board.layings_scored, double(counts.dominoes) / double(number));
}

Laying parse_laying(const std::string& text) {
    char name[6], side;
    int turn, x, y, end = 0;
    int read = std::sscanf(text.c_str(), "%5[A-Z]%c%1d@%d,%d%n", name, &side, &turn, &x, &y, &end);
    if (read != 5 || end != int(text.size()) || (side != '+' && side != '-') || turn > 3 ||
        x < -240 || x > 240 || y < -240 || y > 240)
        throw std::runtime_error(text + " is not a laying.");
    return {domino_named(name), side == '-', turn, ORIGIN + y * WIDTH + x};
}

void best() {
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    Board board;
    std::string word, answers;
    double start = now();
    for (const std::string& line : lines) {
        board.clear();
        std::istringstream words(line);
        while (words >> word && word != "|") {
            Laying laying = parse_laying(word);
            if (!board.legal(laying)) throw std::runtime_error(word + " is not legal here.");
            board.lay(laying);
        }
        std::vector<int> hand;
        while (words >> word) hand.push_back(domino_named(word));
        if (hand.empty() || hand.size() > 2) throw std::runtime_error("A hand is one or two.");
        Turn turn = best_turn(board, hand);
        answers += (turn.layings.empty() ? "none" : std::to_string(turn.points)) + "\n";
    }
    double seconds = now() - start;
    std::fputs(answers.c_str(), stdout);
    std::fprintf(stderr, "%.6f\n", seconds);
}

int main(int argc, char** argv) try {
    std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "games" && argc == 4) games(std::stoll(argv[2]), std::stoull(argv[3]));
    else if (mode == "best" && argc == 2) best();
    else throw std::runtime_error("Use: plain games N SEED | plain best");
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
