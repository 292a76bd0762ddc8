import type { ProviderRequest } from 'crier-server/bounces/providers/provider.ts'

/** A request as a provider sends it. */
export function providerRequest(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  now = new Date('2026-11-20T10:00:00Z'),
): ProviderRequest {
  return { header: (name) => headers[name], body: Buffer.from(body), now }
}
