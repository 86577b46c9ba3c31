// The engine from C# (and so from Unity): declarations of all functions, and a crowd that crosses a bridge.
//
// mcs Throng.cs && mono Throng.exe        with libthrong_c beside it
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Throng
{
    public enum Status { Ok, Null, BadText, NoWorld, NoUnit, BadInput, Refused, TooSmall, Broken }
    public enum TaskKind : uint { Hold, Goals, Patrol, Explore, Errands }
    public enum EventKind : uint { Other, Moved, Failed, Arrived, Finished, Settled, Closed, Opened, Explored, Found }

    [StructLayout(LayoutKind.Sequential)]
    public struct Cell { public int x, y; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Task { public TaskKind kind; public uint rounds; public IntPtr cells; public UIntPtr count; }

    [StructLayout(LayoutKind.Sequential)]
    public struct NewUnit { public Cell at; public Task task; public int priority; public ushort team; public byte body, period; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Info { public ulong tick, stateHash; public uint width, height, units, arrived, done; }

    [StructLayout(LayoutKind.Sequential)]
    public struct UnitState
    {
        public ulong unit;
        public Cell at, from;
        public ulong since, until;
        public uint leg;
        public ushort team;
        public byte arrived;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Event { public EventKind kind; public Cell at; public ulong unit, other; }

    public static class Native
    {
        const string L = "throng_c";
        [DllImport(L)] public static extern IntPtr throng_last_error();
        [DllImport(L)] public static extern IntPtr throng_version();
        [DllImport(L)] public static extern Status throng_world_builtin(byte[] name, byte[] planner, ulong seed, uint threads, out ulong world);
        [DllImport(L)] public static extern Status throng_world_scenario(byte[] file, UIntPtr length, byte[] planner, ulong seed, uint threads, out ulong world);
        [DllImport(L)] public static extern Status throng_world_map(byte[] file, UIntPtr length, uint moves, byte[] planner, ulong seed, uint threads, out ulong world);
        [DllImport(L)] public static extern Status throng_world_free(ulong world);
        [DllImport(L)] public static extern Status throng_world_save(ulong world, byte[] bytes, UIntPtr room, out UIntPtr count);
        [DllImport(L)] public static extern Status throng_world_resume(byte[] bytes, UIntPtr length, uint threads, out ulong world);
        [DllImport(L)] public static extern Status throng_world_tick(ulong world, ulong budget);
        [DllImport(L)] public static extern Status throng_world_info(ulong world, out Info info);
        [DllImport(L)] public static extern Status throng_world_terrain(ulong world, byte[] letters, UIntPtr room, out UIntPtr count);
        [DllImport(L)] public static extern Status throng_world_add(ulong world, ref NewUnit unit, out ulong number);
        [DllImport(L)] public static extern Status throng_unit_remove(ulong world, ulong unit);
        [DllImport(L)] public static extern Status throng_unit_order(ulong world, ulong unit, ref Task task);
        [DllImport(L)] public static extern Status throng_unit_place(ulong world, ulong unit, int x, int y);
        [DllImport(L)] public static extern Status throng_unit_priority(ulong world, ulong unit, int priority);
        [DllImport(L)] public static extern Status throng_world_set_open(ulong world, int x, int y, uint open);
        [DllImport(L)] public static extern Status throng_world_units(ulong world, [Out] UnitState[] units, UIntPtr room, out UIntPtr count);
        [DllImport(L)] public static extern Status throng_world_events(ulong world, [Out] Event[] events, UIntPtr room, out UIntPtr count);
    }

    public static class Example
    {
        static byte[] Text(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

        static void Must(Status status)
        {
            if (status != Status.Ok)
                throw new Exception(status + ": " + Marshal.PtrToStringAnsi(Native.throng_last_error()));
        }

        public static int Main()
        {
            ulong world;
            Must(Native.throng_world_builtin(Text("bridge"), null, 0, 1, out world));
            Info info;
            do
            {
                Must(Native.throng_world_tick(world, 100000));
                Must(Native.throng_world_info(world, out info));
            } while (info.done == 0 && info.tick < 1000);
            UIntPtr count;
            Must(Native.throng_world_units(world, null, UIntPtr.Zero, out count));
            var units = new UnitState[(int)count];
            Must(Native.throng_world_units(world, units, count, out count));
            int arrived = 0;
            foreach (var unit in units) arrived += unit.arrived;

            // A unit is sent across once more, and what is wrong is told in words.
            var goal = new[] { units[0].from };
            var pin = GCHandle.Alloc(goal, GCHandleType.Pinned);
            var task = new Task { kind = TaskKind.Goals, cells = pin.AddrOfPinnedObject(), count = (UIntPtr)1 };
            Must(Native.throng_unit_order(world, units[1].unit, ref task));
            goal[0] = new Cell { x = -5, y = 0 };
            var refused = Native.throng_unit_order(world, units[1].unit, ref task);
            pin.Free();
            Must(Native.throng_world_free(world));
            Console.WriteLine("{0} of {1} units across in {2} ticks", arrived, units.Length, info.tick);
            var good = info.done == 1 && arrived == units.Length && units[0].at.x >= 0;
            return good && refused == Status.Refused && Native.throng_world_tick(world, 0) == Status.NoWorld ? 0 : 1;
        }
    }
}
