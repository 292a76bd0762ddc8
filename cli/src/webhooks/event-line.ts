/** One line for each event: columns for a person, a JSON object for a program. */
import type { CrierEvent } from '@crier-mail/sdk'
import pc from 'picocolors'
import { printable } from '../output/printable.ts'
import type { Attempt } from './forward.ts'

// The longest of the contract's names. A longer one shifts only its own line.
const typeWidth = 'campaign.deployed'.length

/** `attempt` is undefined where events are only shown. */
export function printEvent(
  event: CrierEvent,
  attempt: Attempt | undefined,
  stream: NodeJS.WriteStream = process.stdout,
): void {
  const at = new Date()
  const line = stream.isTTY
    ? forPeople(event, attempt, at)
    : JSON.stringify({ at, type: event.type, id: event.id, ...attempt, event })
  stream.write(`${line}\n`)
}

function forPeople({ type, id }: CrierEvent, attempt: Attempt | undefined, at: Date): string {
  const time = pc.dim(at.toTimeString().slice(0, 8))
  const columns = [time, printable(type).padEnd(typeWidth), pc.dim(printable(id))]
  if (attempt) columns.push(outcome(attempt), pc.dim(`${attempt.ms} ms`))
  return columns.join('  ')
}

function outcome({ status, error }: Attempt): string {
  const text = [status, error].filter((part) => part !== null && part !== undefined).join(' ')
  return error === undefined ? pc.green(text) : pc.red(text)
}
