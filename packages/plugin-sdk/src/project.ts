/** The project that the server works on. */
export interface Project {
  /**
   * What whoever works on it should know, as the first part of a model's system prompt: its own instructions to
   * agents and the head of its README, fenced as data; its languages, how it is tested, its folders. Bounded, made
   * once and again when those files change; empty where there is nothing to say.
   */
  brief(): Promise<string>;
  /**
   * The text of a file of it, by its path from the root.
   * @returns undefined where there is no such file, it lies elsewhere by its real path, is Nexus's own, too long
   *   (4 MiB) or no text
   */
  read(path: string): Promise<string | undefined>;
}
