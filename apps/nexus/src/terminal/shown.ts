import { visibleText } from '@nexus/untrusted/shown';
import { fold } from './fit.ts';
import { outputColumns } from './window-size.ts';

/**
 * A text as it is written to a stream: what would act on the terminal stands there as an escape, and on a terminal lines
 * are broken between words, so that it breaks none itself.
 */
export function shown(text: string, stream: Parameters<typeof outputColumns>[0]): string {
  const visible = visibleText(text);
  const columns = outputColumns(stream);
  return columns === undefined ? visible : fold(visible.split('\n'), columns).join('\n');
}
