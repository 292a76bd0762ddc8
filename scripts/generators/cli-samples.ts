/** cli/src/generated/event-samples.ts: the events that `crier trigger` sends. */
import { eventSamples } from 'crier-server/events/samples.ts'
import { heading } from './catalog.ts'

export async function cliSamples(): Promise<string> {
  return `${heading('the samples of events')}
/** The \`data\` of one event of each type. */
export const eventSamples: Readonly<Record<string, Record<string, unknown>>> = ${JSON.stringify(eventSamples, null, 2)}
`
}
