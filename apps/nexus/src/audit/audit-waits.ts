import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { HOW_TO_ALLOW } from '../trust/describe-waiting.ts';

/**
 * That the config's section of the audit trail is not used, since nobody has trusted it: its anchors are not held
 * against the trail then, and nothing else would say so. Undefined where it is used, or there is none.
 */
export function auditWaits({ trust }: Pick<LoadedConfig, 'trust'>): string | undefined {
  if (!trust.waiting.some(({ path: [section] }) => section === 'audit')) return undefined;
  return `The section "audit" of the project's config is not used until its user trusts it, so no anchor that it names is held against the trail or brought anything; ${HOW_TO_ALLOW}.`;
}
