import { programEnvironment } from '@nexus/plugin-sdk';
import type { CliDialect } from './dialect.ts';

/** What a program that calls a model's own service needs beside the places. */
const NETWORK = ['HTTPS_PROXY', 'HTTP_PROXY', 'NODE_EXTRA_CA_CERTS', 'NO_PROXY', 'SSL_CERT_FILE', 'TERM'];

/** All that a command line gets of this process's environment: the places, and its own variables. */
export function cliEnvironment(
  { variables, fixed }: Pick<CliDialect, 'variables' | 'fixed'>,
  from: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return {
    ...programEnvironment([...NETWORK, ...variables], from),
    ...fixed,
    // Servers of its own are off; a Nexus that it starts all the same refuses by this to be one.
    NEXUS_DEPTH: String((Number.parseInt(from.NEXUS_DEPTH ?? '', 10) || 0) + 1),
  };
}
