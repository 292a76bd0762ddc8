/**
 * The address to which mailbox providers send complaints. There is one for the installation, which
 * its operator registers with them. A MAC makes it impossible to guess.
 */
import { sameBytes, type Vault } from '../crypto/vault.ts'

const macBytes = 10

export function complaintAddress(vault: Pick<Vault, 'hmac'>, domain: string): string {
  return `fbl+${mac(vault).toString('hex')}@${domain}`
}

export function isComplaintAddress(vault: Pick<Vault, 'hmac'>, address: string): boolean {
  const match = /^fbl\+([0-9a-f]{20})@[^@]+$/.exec(address.toLowerCase())
  return match !== null && sameBytes(mac(vault), Buffer.from(match[1] ?? '', 'hex'))
}

function mac(vault: Pick<Vault, 'hmac'>): Buffer {
  return vault.hmac('complaint-address', 'fbl').subarray(0, macBytes)
}
