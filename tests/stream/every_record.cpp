// Calls every function of the header once. The first argument names a resource, a queue and a draw.

#include "fencepost.hpp"

#include <iostream>
#include <string>

int main(int count, char** arguments) {
    using fencepost::bytes;
    using fencepost::use;
    const std::string name = count > 1 ? arguments[1] : "odd";

    fencepost::stream out(std::cout, "gcn2-bonaire", "strict");
    out.allow("repeated-flush", "measured");
    out.buffer("heap", 4096);
    out.buffer(name, 64, 0x10000);
    out.color("hdr", 64, 64, "rgba16f", {{"cmask"}, {"fmask", 4096, 0x300000}}, 32768, 0x200000);
    out.color("plain", 8, 8, "rgba8");
    out.depth("z", 64, 64, "d24s8", {{"htile"}});
    out.back_buffer("back", 64, 64, "rgba8");
    out.label("fence", 5, true, 0x20000);
    out.gds("counters", 256, 64);

    auto gfx = out.queue(name, "graphics");
    auto async = out.queue("async", "compute");
    auto sdma = out.queue("sdma", "copy");
    auto cpu = out.queue("cpu", "cpu");

    fencepost::extras drawn;
    drawn.unknown = {"vs", "ps"};
    drawn.cost = {{"time", "1.5ms"}, {"alu", "3"}};
    gfx.kickoff().frame().context();
    gfx.allow("read-after-write", "known").allow("deadlock", "\"no\"");
    gfx.draw(name, {use("cb0.write", "hdr"), use("ps.texture", name, "hit-evict")}, drawn);
    gfx.dispatch("d", {use("cs.uav-write", {"heap", 0, 16}), use("cs.texture", {"hdr", "cmask"})});

    fencepost::extras dma;
    dma.engine = "pfp";
    dma.synchronous = true;
    dma.raw_wait = true;
    gfx.copy("c", {use("dma.read", {"heap", 0, 8}), use("dma.write-tcc", {"heap", 8, 16})}, dma);
    gfx.clear("", {use("dma.write", "counters")});
    fencepost::extras as_draw;
    as_draw.kind = "draw";
    gfx.resolve("r", {use("ps.texture", "hdr"), use("cb0.write", "plain")}, as_draw);

    gfx.flush("ps").end_of_pipe("fence", 6, {"tcc.wbinv"}).end_of_pipe({"tcp.wbinv"});
    gfx.timestamp({"heap", 16, 24}).end_of_shader("ps", "fence", 7);
    gfx.wait("fence", 7, ">=", "pfp", 0xff).set("fence", 8).pfp_sync_me().wait_idle();
    gfx.event({"cb.pixels.wbinv"}).event({}, "marker");
    gfx.sync({"tcc.wbinv"}, {"cb0", "db"}, "hdr", "pfp").sync({"k.inv"});
    gfx.sync({}, {"cb0"}, bytes("hdr", 0, 64)).dma_wait().present("back").wait_flip("back");
    async.wait("fence", 1);
    sdma.copy("", {use("copy.read", "heap"), use("copy.write", "heap")});
    cpu.write("heap").write_combined({"heap", 0, 4}).read("heap").kickoff(name);
    return std::cout.flush() ? 0 : 1;
}
