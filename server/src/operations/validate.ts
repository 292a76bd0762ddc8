/** Checks arguments against an operation's schema: once, here, for all entry points. */
import type { Refusal } from '../core/errors.ts'
import type { Operation } from '../core/operation.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { withFurtherFaults } from '../core/schema-faults.ts'
import { checkReadable } from './readable.ts'

const checks = new WeakMap<Operation, ReturnType<typeof schemaCheck>>()

export function checkInput(
  operation: Operation,
  input: Record<string, unknown>,
): Refusal | undefined {
  const unreadable = checkReadable(input)
  if (unreadable) return unreadable
  let check = checks.get(operation)
  if (!check) {
    check = schemaCheck(operation.input, `the arguments of ${operation.name}`)
    checks.set(operation, check)
  }
  const wrong = check(input)
  return wrong && withFurtherFaults(wrong, operation.input, input)
}
