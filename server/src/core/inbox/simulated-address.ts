/**
 * Addresses and numbers that behave as they say, in every installation: what is sent to them goes to
 * the simulator, never leaves this machine, and says nothing of a sender's reputation.
 */
import { isInventedPhone } from '../../lib/phone/phone-number.ts'

/** No domain under `.test` is in DNS (RFC 6761), so no such mailbox exists elsewhere. */
export const simulatorDomain = 'simulator.crier.test'

export const simulatedBehaviours = [
  'delivered',
  'bounced',
  'deferred',
  'complained',
  'opened',
  'clicked',
  'replied',
  'suppressed',
] as const
export type SimulatedBehaviour = (typeof simulatedBehaviours)[number]

/** By the digit after `+999 000`; what follows it is a label. */
const ofNumbers: Readonly<Record<string, SimulatedBehaviour>> = {
  1: 'delivered',
  2: 'bounced',
  3: 'deferred',
  4: 'replied',
  5: 'suppressed',
}

/** Whether the address or number is the simulator's, whatever its name. */
export function isSimulated(address: string): boolean {
  return isInventedPhone(address) || address.toLowerCase().endsWith(`@${simulatorDomain}`)
}

/**
 * `bounced+label@simulator.crier.test` bounces, and so does `+999 000 2`. Undefined for a name or a
 * digit that the simulator lacks.
 */
export function behaviourOf(address: string): SimulatedBehaviour | undefined {
  if (!isSimulated(address)) return undefined
  if (isInventedPhone(address)) return ofNumbers[address.charAt('+999000'.length)]
  const [name = ''] = address.toLowerCase().split(/[+@]/, 1)
  return simulatedBehaviours.find((behaviour) => behaviour === name)
}
