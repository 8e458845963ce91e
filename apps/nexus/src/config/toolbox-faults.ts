import type { ConfigFault } from './config-fault.ts';
import { ToolboxesSection } from './toolboxes-section.ts';
import { zodFaults } from './zod-faults.ts';

/**
 * What is wrong with toolboxes as they are written. A text with a variable in it may be anything yet, so
 * what is wrong with that alone is not told.
 */
export function toolboxFaults(written: Readonly<Record<string, unknown>>): ConfigFault[] {
  const parsed = ToolboxesSection.safeParse(written);
  if (parsed.success) return [];
  return zodFaults(parsed.error, written, ToolboxesSection).filter(({ message }) => !message.includes('${'));
}
