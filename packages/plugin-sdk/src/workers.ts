/** Threads for work on what comes from outside, such as parsing a file: what it does there, the server survives. */
export interface Workers {
  /** Threads for one kind of task. None runs before the first task; all end with the server. */
  pool<Task, Answer>(options: WorkerPoolOptions): WorkerPool<Task, Answer>;
}

export interface WorkerPoolOptions {
  /**
   * An ES module whose default export takes a task and gives its answer, or a promise of it. Both are
   * copied as by `structuredClone`. What it throws ends its thread, so what may happen is an answer.
   */
  readonly module: URL;
  /** Most threads at once; default 2. */
  readonly threads?: number;
  /** Most megabytes of a thread's JavaScript heap; default 256. WebAssembly's memory is the module's to bound. */
  readonly maxHeapMb?: number;
}

export interface WorkerPool<Task, Answer> {
  /**
   * The task's turn comes after those that wait already, when a thread is free.
   * @throws the signal's reason, and then the thread no longer works on it
   */
  run(
    task: Task,
    limits: {
      readonly signal: AbortSignal;
      /**
       * From when a thread takes the task up; a thread that exceeds it is replaced. Where the system tells
       * (Linux), time in which the thread got no processor counts for a tenth only.
       */
      readonly timeLimitMs: number;
    },
  ): Promise<WorkerOutcome<Answer>>;
}

export type WorkerOutcome<Answer> =
  | { readonly answer: Answer; readonly fault?: undefined }
  | {
      /** `overran`: the time limit ended it; `trapped`: it threw, or took too much memory. */
      readonly fault: 'overran' | 'trapped';
      /** What happened, after the name of what the task was about: "took longer than 2000 ms". */
      readonly reason: string;
    };
