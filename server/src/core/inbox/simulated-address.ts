/**
 * Addresses that behave as their names say, in every installation: mail to them goes to the
 * simulator, never leaves this machine, and says nothing of a sender's reputation.
 */

/** No domain under `.test` is in DNS (RFC 6761), so no such mailbox exists elsewhere. */
export const simulatorDomain = 'simulator.crier.test'

export const simulatedBehaviours = [
  'delivered',
  'bounced',
  'deferred',
  'complained',
  'opened',
  'clicked',
  'suppressed',
] as const
export type SimulatedBehaviour = (typeof simulatedBehaviours)[number]

/** Whether the address is the simulator's, whatever its name. */
export function isSimulated(address: string): boolean {
  return address.toLowerCase().endsWith(`@${simulatorDomain}`)
}

/** `bounced+label@simulator.crier.test` bounces. Undefined for a name that the simulator lacks. */
export function behaviourOf(address: string): SimulatedBehaviour | undefined {
  if (!isSimulated(address)) return undefined
  const [name = ''] = address.toLowerCase().split(/[+@]/, 1)
  return simulatedBehaviours.find((behaviour) => behaviour === name)
}
