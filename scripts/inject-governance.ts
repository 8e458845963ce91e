/** The name by which `npx tsx scripts/inject-governance.ts check` is known; the same as `pnpm governance`. */
import './governance/cli.ts';
