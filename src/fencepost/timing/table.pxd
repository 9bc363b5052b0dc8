cdef class Table:
    cdef long long works
    cdef long long[::1] queue, kind, time, tail, vertex, residency, lines_up, by_pfp, in_turn
    cdef long long[::1] first_job, job_unit, job_cap, job_body, job_tail
    cdef long long[::1] first_print, print_cache, print_start, print_end
    cdef long long[::1] handed, ready, launched, launched_by, released
    cdef long long[::1] vertex_ready, vertex_done, shader_ready, shader_done, shaded_by
    cdef long long[::1] end_ready, end_done, ended_by, rank
    cdef long long[::1] issued, arrived, operated_from, operated, sent, arrived_value
    cdef long long[::1] fork_end_rank, fork_rank
