/** Many messages in one call. Each is checked separately, and has its own outcome. */

import { isRefusal, orRefusal, type Refusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import type { BusinessContext } from '../core/operation.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import { messageStates } from './message.ts'
import { saveMessages } from './save.ts'
import { sendAtView } from './send-input.ts'
import type { MessageToSave } from './to-save.ts'
import { leavesThisMachine } from './view.ts'

/** The most messages of one call. */
export const mostInBatch = 500

/** Messages prepared at the same time. Threads render their content, and there are few threads. */
const preparedAtOnce = 8

const outcome = Type.Object({
  message_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.Enum(messageStates)),
  send_at: sendAtView,
  duplicate: Type.Optional(Type.Boolean()),
  segments: Type.Optional(Type.Integer()),
  warnings: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      field: Type.Optional(Type.String()),
    }),
  ),
})

/** What was refused stands first, because the status is that of a call which succeeded. */
export const batchOutput = Type.Object({
  refused: Type.Integer(),
  warnings: Type.Optional(Type.Array(Type.String())),
  queued: Type.Integer(),
  leaves_this_machine: leavesThisMachine,
  results: Type.Array(outcome),
})

/** The field with the messages. Each is checked separately, so one fault refuses only one. */
export const messagesInput = (like: string) =>
  Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), {
    minItems: 1,
    maxItems: mostInBatch,
    description: `Fields of ${like}, each.`,
  })

type Outcome = Static<typeof outcome>
type Prepared = { message: MessageToSave; segments?: number; warnings: string[] }

/** Prepares an entry that matches the input schema. */
type Prepare<E extends TObject> = (entry: Static<E>) => Promise<Prepared>

export function batchSender<E extends TObject>(schema: E, leavesMachine: boolean) {
  const check = schemaCheck(schema, 'A message')

  return async (
    { write, now, principal }: BusinessContext,
    entries: Record<string, unknown>[],
    prepare: Prepare<E>,
  ) => {
    const prepared = await inParallel(
      entries,
      async (entry) => check(entry) ?? orRefusal(() => prepare(entry as Static<E>)),
    )
    const fine = prepared.flatMap((item, index) => (isRefusal(item) ? [] : [{ ...item, index }]))
    return write(async (tx) => {
      const results: Outcome[] = prepared.map((item) => (isRefusal(item) ? refusedAs(item) : {}))
      const saved = await saveMessages.save(
        tx,
        fine.map(({ message }) => message),
        now,
      )
      for (const [i, { message, index, segments, warnings }] of fine.entries()) {
        const outcome = saved[i] as (typeof saved)[number]
        results[index] = isRefusal(outcome)
          ? refusedAs(outcome)
          : {
              message_id: formatId('message', outcome.id),
              status: outcome.state,
              ...(message.sendAt && { send_at: message.sendAt.toISOString() }),
              ...(outcome.duplicate && { duplicate: true }),
              ...(segments !== undefined && { segments }),
              ...(warnings.length > 0 && { warnings }),
            }
      }
      const refused = results.filter(({ error }) => error).length
      const duplicates = results.filter(({ duplicate }) => duplicate).length
      return {
        refused,
        ...(refused > 0 && { warnings: warningsOf(results) }),
        queued: results.length - refused - duplicates,
        leaves_this_machine: leavesMachine && !principal.isTest,
        results,
      }
    })
  }
}

/** One sentence for each code, with the first message that was refused with it. */
function warningsOf(results: readonly Outcome[]): string[] {
  const refusals = results.flatMap(({ error }, index) => (error ? [{ ...error, index }] : []))
  return [...Map.groupBy(refusals, ({ code }) => code)].map(([code, all]) => {
    const [first] = all
    const count = `${all.length} of ${results.length} messages were refused with ${code}`
    return `${count}, the first of them results[${first?.index}]: ${first?.message}`
  })
}

function refusedAs({ code, message, details: { field } }: Refusal): Outcome {
  return { error: { code, message, ...(field !== undefined && { field }) } }
}

/** Reads each key only once, because the messages of a batch share senders and templates. */
export function once<K extends unknown[], T>(
  ask: (...key: K) => Promise<T>,
  nameOf: (...key: K) => string,
): (...key: K) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (...key) => {
    const name = nameOf(...key)
    const answer = answers.get(name) ?? ask(...key)
    answers.set(name, answer)
    return answer
  }
}

/** Processes items in order, a fixed number at a time. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of waiting) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: preparedAtOnce }, worker))
  return results
}
