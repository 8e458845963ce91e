/** Of a file beside a worktree that a person still has to save work from: nobody takes that away. */
export const KEPT_MARK = '.kept';
