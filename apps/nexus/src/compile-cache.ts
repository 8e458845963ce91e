import module from 'node:module';

/** Keeps compiled code between runs where Node can (22.1 on): the second start is faster. */
export function enableCompileCache(): void {
  const { enableCompileCache } = module as { enableCompileCache?: () => unknown };
  enableCompileCache?.();
}
