// A renderer's frame as a fencepost stream, on standard output:
//
//     g++ -std=c++17 -Wall -Wextra -Werror renderer.cpp -o renderer
//     ./renderer | fencepost check -

#include "fencepost.hpp"

#include <iostream>

int main() {
    using fencepost::use;

    fencepost::stream out(std::cout, "xbox-one");
    out.color("gbuffer", 1920, 1080, "rgba8");
    out.color("hdr", 1920, 1080, "rgba16f");
    out.buffer("sprites", 64 * 1024);
    out.buffer("args", 64);
    out.label("gdone");
    out.label("cdone");

    auto gfx = out.queue("gfx", "graphics");
    auto async = out.queue("async", "compute");

    gfx.draw("sky", {use("ps.texture", "gbuffer")});
    gfx.flush("ps");
    gfx.draw("gbuffer", {use("cb0.write", "gbuffer")});
    gfx.event({"cb.pixels.wbinv"});
    gfx.end_of_shader("ps", "gdone", 1);
    gfx.draw("particles", {use("ps.texture", "sprites"), use("cb1.write", "hdr")});

    async.wait("gdone", 1);
    async.sync({"tcc.wbinv", "tcp.wbinv"});
    async.dispatch("cull", {use("cs.texture", "gbuffer"), use("cs.uav-write", {"args", 0, 16})});
    async.end_of_pipe("cdone", 1, {"tcc.wbinv"});

    gfx.wait("gdone", 1);
    gfx.sync({"tcc.wbinv", "tcp.wbinv"});
    gfx.draw("lighting", {use("ps.texture", "gbuffer"), use("cb1.blend", "hdr")});
    gfx.wait("cdone", 1, ">=", "pfp");
    gfx.draw("tiles", {use("pfp.args", {"args", 0, 16}), use("cb1.blend", "hdr")});
    return std::cout.flush() ? 0 : 1;
}
