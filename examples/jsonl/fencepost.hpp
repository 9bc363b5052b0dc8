// Writes a fencepost stream from a renderer: JSON Lines, one record a call (docs/jsonl-format.md).
//
//     std::ofstream file("frame.jsonl");
//     fencepost::stream out(file, "xbox-one");
//     out.color("hdr", 1920, 1080, "rgba16f");
//     auto gfx = out.queue("gfx", "graphics");
//     gfx.draw("lighting", {fencepost::use("cb0.write", "hdr")});
//     gfx.flush("ps");
//
// C++17, no dependencies, one header. Names are UTF-8. Nothing is checked here: that is for
// `fencepost check`.
// One stream is for one thread; threads that record at the same time write streams of their own.

#ifndef FENCEPOST_HPP
#define FENCEPOST_HPP

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fencepost {

using names = std::vector<std::string>;

// Bytes [start, end), counted from the start of a part of a resource.
struct range {
    std::uint64_t start;
    std::uint64_t end;
};

namespace detail {

inline std::string quoted(std::string_view text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char character : text) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            out += '\\';
            out += character;
        } else if (code < 0x20) {
            out += "\\u00";
            out += digits[code >> 4];
            out += digits[code & 15];
        } else {
            out += character;
        }
    }
    return out + '"';
}

// One JSON object; what is empty or at its default is left out.
class object {
public:
    object& text(std::string_view key, std::string_view value) {
        return value.empty() ? *this : raw(key, quoted(value));
    }
    object& number(std::string_view key, std::uint64_t value) {
        return raw(key, std::to_string(value));
    }
    object& number(std::string_view key, const std::optional<std::uint64_t>& value) {
        return value ? number(key, *value) : *this;
    }
    object& flag(std::string_view key, bool value) { return value ? raw(key, "true") : *this; }
    object& texts(std::string_view key, const names& values) {
        std::string list;
        for (const auto& value : values) {
            list += (list.empty() ? "" : ",") + quoted(value);
        }
        return values.empty() ? *this : raw(key, "[" + list + "]");
    }
    object& bytes(const std::optional<range>& value) {
        return value ? number("start", value->start).number("end", value->end) : *this;
    }
    object& raw(std::string_view key, std::string_view json) {
        body_ += (body_.empty() ? "" : ",") + quoted(key) + ":";
        body_ += json;
        return *this;
    }
    [[nodiscard]] std::string str() const { return "{" + body_ + "}"; }

private:
    std::string body_;
};

}  // namespace detail

// Bytes of a resource: the whole of it, a part of it, a range of that part.
struct bytes {
    std::string resource;
    std::string part{};
    std::optional<range> within{};

    bytes(std::string_view name) : resource(name) {}
    bytes(const char* name) : resource(name) {}
    bytes(const std::string& name) : resource(name) {}
    bytes(std::string_view name, std::uint64_t start, std::uint64_t end)
        : resource(name), within(range{start, end}) {}
    bytes(std::string_view name, std::string_view part_name)
        : resource(name), part(part_name) {}

    [[nodiscard]] std::string str() const {
        return detail::object().text("resource", resource).text("part", part).bytes(within).str();
    }
};

// One use of bytes by one block: use("ps.texture", "hdr"), use("cs.uav", {"args", 0, 16}).
struct access {
    std::string block;
    std::string way;
    bytes where;
    std::string policy;

    [[nodiscard]] std::string str() const {
        detail::object out;
        out.text("block", block).text("use", way).text("resource", where.resource);
        return out.text("part", where.part).bytes(where.within).text("policy", policy).str();
    }
};

inline access use(std::string_view what, const bytes& where, std::string_view policy = "") {
    const auto dot = what.find('.');
    const auto way = dot == std::string_view::npos ? std::string_view() : what.substr(dot + 1);
    return {std::string(what.substr(0, dot)), std::string(way), where, std::string(policy)};
}

// What a work may say besides its accesses.
struct extras {
    names unknown{};            // blocks whose accesses are not shown: "vs", "ps", "cs"
    std::string kind{};         // "draw", "dispatch", "dma": where the verb does not say it
    std::string engine{};       // "pfp": kicks the CP DMA instead of ME
    bool synchronous = false;   // CP DMA: the engine waits for it
    bool raw_wait = false;      // CP DMA: waits for earlier ones
    std::vector<std::pair<std::string, std::string>> cost{};  // {"time", "1.5ms"}
};

class stream;

// Appends commands to one queue, in the order of the calls.
class queue {
public:
    // Accept a rule at the next command.
    queue& allow(std::string_view rule, std::string_view reason) {
        allowed_ += allowed_.empty() ? "" : ",";
        allowed_ += detail::object().text("rule", rule).text("reason", reason).str();
        return *this;
    }

    queue& draw(std::string_view name, const std::vector<access>& uses, const extras& more = {}) {
        return work("draw", name, uses, more);
    }
    queue& dispatch(std::string_view name, const std::vector<access>& uses,
                    const extras& more = {}) {
        return work("dispatch", name, uses, more);
    }
    // By CP DMA ("dma.read", "dma.write"), by the copy queue ("copy.read", "copy.write"), or as
    // the draw or dispatch that `more.kind` names.
    queue& copy(std::string_view name, const std::vector<access>& uses, const extras& more = {}) {
        return work("copy", name, uses, more);
    }
    queue& clear(std::string_view name, const std::vector<access>& uses, const extras& more = {}) {
        return work("clear", name, uses, more);
    }
    // `more.kind` says whether it is a draw or a dispatch.
    queue& resolve(std::string_view name, const std::vector<access>& uses, const extras& more) {
        return work("resolve", name, uses, more);
    }
    // By the CPU.
    queue& read(const bytes& where) { return work("read", "", {use("cpu.read", where)}, {}); }
    queue& write(const bytes& where) { return work("write", "", {use("cpu.write", where)}, {}); }
    queue& write_combined(const bytes& where) {
        return work("write", "", {use("cpu.write-combined", where)}, {});
    }

    queue& flush(std::string_view stage) { return add(start("flush").text("stage", stage)); }
    queue& end_of_pipe(std::string_view label, std::uint64_t value, const names& operations = {}) {
        return add(start("eop").text("label", label).number("value", value)
                       .texts("operations", operations));
    }
    queue& end_of_pipe(const names& operations) {
        return add(start("eop").texts("operations", operations));
    }
    queue& timestamp(const bytes& where, const names& operations = {}) {
        return add(start("eop").texts("operations", operations).raw("timestamp", where.str()));
    }
    queue& end_of_shader(std::string_view stage, std::string_view label, std::uint64_t value) {
        return add(start("eos").text("stage", stage).text("label", label).number("value", value));
    }
    queue& wait(std::string_view label, std::uint64_t value, std::string_view comparison = "==",
                std::string_view engine = "", std::optional<std::uint64_t> mask = {}) {
        return add(start("wait").text("label", label).number("value", value)
                       .text("comparison", comparison).number("mask", mask)
                       .text("engine", engine));
    }
    queue& set(std::string_view label, std::uint64_t value, std::string_view engine = "") {
        return add(start("set").text("label", label).number("value", value)
                       .text("engine", engine));
    }
    queue& pfp_sync_me() { return add(start("pfp-sync-me")); }
    queue& wait_idle() { return add(start("wait-idle")); }
    queue& event(const names& operations, std::string_view name = "") {
        return add(start("event", name).texts("operations", operations));
    }
    // Over every address, unless a surface is named.
    queue& sync(const names& operations, const names& coherency = {},
                const std::optional<bytes>& surface = {}, std::string_view engine = "") {
        auto record = start("sync");
        record.texts("operations", operations).texts("coherency", coherency);
        if (surface) {
            record.text("surface", surface->resource).text("part", surface->part);
            record.bytes(surface->within);
        }
        return add(record.text("engine", engine));
    }
    queue& context() { return add(start("context")); }
    queue& dma_wait(std::string_view engine = "") {
        return add(start("dma-wait").text("engine", engine));
    }
    // On a GPU queue: here its next part starts. On the CPU: submit the next part of `target`.
    queue& kickoff(std::string_view target = "") {
        return add(start("kickoff").text("target", target));
    }
    queue& frame() { return add(start("frame")); }
    queue& present(std::string_view buffer) { return add(start("present").text("buffer", buffer)); }
    queue& wait_flip(std::string_view buffer) {
        return add(start("wait-flip").text("buffer", buffer));
    }

private:
    friend class stream;
    queue(std::ostream& out, std::string_view name) : out_(out), name_(name) {}

    [[nodiscard]] detail::object start(std::string_view type, std::string_view name = "") const {
        detail::object record;
        return record.text("type", type).text("queue", name_).text("name", name);
    }
    queue& work(std::string_view verb, std::string_view name, const std::vector<access>& uses,
                const extras& more) {
        std::string list;
        for (const auto& one : uses) {
            list += (list.empty() ? "" : ",") + one.str();
        }
        detail::object cost;
        for (const auto& [key, value] : more.cost) {
            cost.text(key, value);
        }
        auto record = start(verb, name);
        record.raw("accesses", "[" + list + "]").texts("unknown", more.unknown);
        record.text("kind", more.kind).text("engine", more.engine);
        record.flag("synchronous", more.synchronous).flag("raw_wait", more.raw_wait);
        return add(more.cost.empty() ? record : record.raw("cost", cost.str()));
    }
    queue& add(detail::object record) {
        if (!allowed_.empty()) {
            record.raw("allow", "[" + allowed_ + "]");
            allowed_.clear();
        }
        out_ << record.str() << '\n';
        return *this;
    }

    std::ostream& out_;
    std::string name_;
    std::string allowed_;
};

// A metadata part of a target (CMASK, FMASK, HTILE), and where it lies if that is known.
struct metadata {
    std::string name;
    std::optional<std::uint64_t> size{};
    std::optional<std::uint64_t> address{};
};

// A stream: declare resources and queues, then let the queues append their commands.
class stream {
public:
    stream(std::ostream& out, std::string_view machine, std::string_view guarantees = "")
        : out_(out) {
        detail::object header;
        header.text("format", "fencepost.stream").number("version", 1);
        add(header.text("machine", machine).text("guarantees", guarantees));
    }

    // Addresses are optional: what has none is laid out behind the resource before.
    void buffer(std::string_view name, std::uint64_t size,
                std::optional<std::uint64_t> address = {}) {
        add(start("buffer", name).number("size", size).number("address", address));
    }
    void color(std::string_view name, std::uint32_t width, std::uint32_t height,
               std::string_view format, const std::vector<metadata>& parts = {},
               std::optional<std::uint64_t> size = {}, std::optional<std::uint64_t> address = {}) {
        target("color", name, width, height, format, parts, size, address);
    }
    void depth(std::string_view name, std::uint32_t width, std::uint32_t height,
               std::string_view format, const std::vector<metadata>& parts = {},
               std::optional<std::uint64_t> size = {}, std::optional<std::uint64_t> address = {}) {
        target("depth", name, width, height, format, parts, size, address);
    }
    void back_buffer(std::string_view name, std::uint32_t width, std::uint32_t height,
                     std::string_view format, const std::vector<metadata>& parts = {},
                     std::optional<std::uint64_t> size = {},
                     std::optional<std::uint64_t> address = {}) {
        target("backbuffer", name, width, height, format, parts, size, address);
    }
    void label(std::string_view name, std::uint64_t value = 0, bool per_frame = false,
               std::optional<std::uint64_t> address = {}) {
        add(start("label", name).number("value", value).flag("per_frame", per_frame)
                .number("address", address));
    }
    void gds(std::string_view name, std::uint64_t size,
             std::optional<std::uint64_t> address = {}) {
        add(start("gds", name).number("size", size).number("address", address));
    }
    // Accept a rule in the whole stream.
    void allow(std::string_view rule, std::string_view reason) {
        add(detail::object().text("type", "allow").text("rule", rule).text("reason", reason));
    }
    // `kind` is graphics, compute, copy or cpu.
    [[nodiscard]] fencepost::queue queue(std::string_view name, std::string_view kind) {
        add(start("queue", name).text("kind", kind));
        return fencepost::queue(out_, name);
    }

private:
    static detail::object start(std::string_view type, std::string_view name) {
        detail::object record;
        return record.text("type", type).text("name", name);
    }
    void target(std::string_view type, std::string_view name, std::uint32_t width,
                std::uint32_t height, std::string_view format, const std::vector<metadata>& parts,
                std::optional<std::uint64_t> size, std::optional<std::uint64_t> address) {
        auto record = start(type, name);
        record.number("width", width).number("height", height).text("format", format);
        record.number("size", size).number("address", address);
        for (const auto& part : parts) {
            detail::object inner;
            inner.number("size", part.size).number("address", part.address);
            record.raw(part.name, inner.str());
        }
        add(record);
    }
    void add(const detail::object& record) { out_ << record.str() << '\n'; }

    std::ostream& out_;
};

}  // namespace fencepost

#endif  // FENCEPOST_HPP
