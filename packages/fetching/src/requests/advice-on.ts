/** What whoever reads it may do: by what the system or TLS called the failure. */
export function adviceOn(cause: unknown): string {
  const code = String((cause as { readonly code?: unknown } | undefined)?.code ?? '');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'See that this machine is online and that the name is right; `nexus doctor --connect` tries every source.';
  }
  if (/CERT|SSL|TLS|SIGNED/.test(code)) {
    return 'Its certificate is not one that this machine trusts: behind a proxy that opens TLS, name its authority in NODE_EXTRA_CA_CERTS.';
  }
  return 'See that this machine may reach it (a firewall, a proxy), or try again later; `nexus doctor --connect` tries every source.';
}
