import type { Finding, Gate } from './gate.ts'

/** Links and pictures that tell a host which is not the business's about each recipient. */
export function personalHostsGate(hosts: readonly string[]): Gate & { findings: Finding[] } {
  return {
    gate: 'links',
    result: 'warn',
    evidence: `Links or pictures tell ${hosts.join(', ')} about each recipient.`,
    findings: [{ finding: 'personal_hosts', hosts: [...hosts] }],
    remedy:
      'Leave the data of recipients out of these addresses, or verify the domain as your own. What an assistant or a program orders waits for a person.',
  }
}
