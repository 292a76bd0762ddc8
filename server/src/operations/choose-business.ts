/**
 * Decides in which business a call acts: the business that it names, the only business, or the
 * owner of the object that the call names.
 */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, parseId } from '../core/ids.ts'
import type { Operation, Principal, Reach } from '../core/operation.ts'
import type { Db } from '../lib/db/types.ts'

interface BusinessQuery {
  operation: Operation
  input: Record<string, unknown>
  principal: Principal
}

/** Returns undefined for a call that acts on the connection, or the person, as a whole. */
export async function chooseBusiness(
  db: Db,
  { operation, input, principal }: BusinessQuery,
): Promise<Reach | undefined> {
  const named = input['business_id'] as string | undefined
  if (named !== undefined) return findNamed(named, principal)
  if (operation.reach !== 'business') return undefined
  const [only, another] = principal.businesses
  if (only && !another) return only
  if (!only) {
    throw refuse(
      'not_found',
      'This connection reaches no business. Ask the person to connect again after joining one.',
      { field: 'business_id' },
    )
  }
  for (const [field, locate] of Object.entries(operation.locate ?? {})) {
    const id = input[field] as string | undefined
    if (id === undefined) continue
    const reached = principal.businesses.map((business) => business.id)
    const found = await locate(db, reached, id)
    const owner = principal.businesses.find((business) => business.id === found)
    if (owner) return owner
    const text = `No business that this connection reaches has ${id}.`
    throw refuse('not_found', text, { field, fix: { tool: 'business.list', arguments: {} } })
  }
  throw severalBusinesses(principal)
}

/** A business out of reach gets the same refusal as a business that does not exist. */
function findNamed(named: string, { businesses }: Principal): Reach {
  const id = parseId('business', named)
  const business = businesses.find((reached) => reached.id === id)
  if (business) return business
  throw refuse('not_found', `This connection reaches no business ${named}.`, {
    field: 'business_id',
    fix: { tool: 'business.list', arguments: {} },
  })
}

function severalBusinesses({ businesses }: Principal): Refusal {
  return refuse(
    'invalid_request',
    'business_id is missing, and this connection reaches several businesses: name one.',
    {
      field: 'business_id',
      fix: { tool: 'business.list', arguments: {} },
      data: {
        choices: businesses.map((business) => ({
          business_id: formatId('business', business.id),
          name: business.name,
        })),
      },
    },
  )
}
