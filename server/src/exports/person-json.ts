/** Writes everything that is stored about one person as one JSON document, while it is read. */

import { proposalPersonPart } from '../assistants/proposals.ts'
import { recipientPersonPart } from '../campaigns/results/recipients.ts'
import type { ExportedPerson, PersonPart } from '../contacts/exporting/person-part.ts'
import { contactPersonParts } from '../contacts/exporting/person-parts.ts'
import { formatId, type Id, type Noun } from '../core/ids.ts'
import { submissionPersonPart } from '../forms/submission.ts'
import { importPersonPart } from '../imports/personal-data.ts'
import { replyPersonPart } from '../inbound-sms/personal-data.ts'
import type { Db } from '../lib/db/types.ts'
import { attentionPersonPart } from '../messages/attention.ts'
import { messagePersonPart } from '../messages/personal-data.ts'
import { sequencePersonPart } from '../sequences/personal-data.ts'

export const personParts: readonly PersonPart[] = [
  ...contactPersonParts,
  submissionPersonPart,
  messagePersonPart,
  replyPersonPart,
  recipientPersonPart,
  sequencePersonPart,
  attentionPersonPart,
  proposalPersonPart,
  importPersonPart,
]

/** Rows per page: a page of messages with their contents stays below some megabytes. */
const perPage = 50

export async function* personJson(db: Db, person: ExportedPerson): AsyncGenerator<string> {
  let separator = '{'
  for (const part of personParts) {
    yield `${separator}\n${JSON.stringify(part.name)}: [`
    separator = ','
    yield* rowsOf(db, person, part)
    yield ']'
  }
  yield '\n}\n'
}

async function* rowsOf(db: Db, person: ExportedPerson, part: PersonPart): AsyncGenerator<string> {
  let isFirst = true
  for (let after = ''; ; ) {
    const page = await part.page(db, person, { after, limit: perPage })
    for (const { row } of page) {
      yield `${isFirst ? '' : ','}\n  ${JSON.stringify(withPublicIds(row))}`
      isFirst = false
    }
    const last = page.at(-1)
    if (!last || page.length < perPage) return
    after = last.key
  }
}

/** Ids in columns that are named by their noun get the public spelling. */
const nouns: Readonly<Record<string, Noun>> = {
  message_id: 'message',
  campaign_id: 'campaign',
  form_id: 'form',
  template_id: 'template',
  confirmation_id: 'confirmation',
  import_id: 'import',
}

function withPublicIds(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      const noun = nouns[key]
      const isId = noun !== undefined && typeof value === 'string'
      return [key, isId ? formatId(noun, value as Id<Noun>) : value]
    }),
  )
}
