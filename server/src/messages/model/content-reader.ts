import { createBatcher } from '../../lib/concurrency/batch.ts'
import type { Db } from '../../lib/db/types.ts'
import { type ContentKey, findContents } from './content-queries.ts'
import type { Content, Message } from './message.ts'

export type ReadContent = (message: Message) => Promise<Content | undefined>

/** A small number, because each content may have megabytes of attachments. */
const perRead = 16

/** A campaign's message has no content of its own. Its template's version has the content. */
export const campaignContent: Content = {
  subject: null,
  html: null,
  text: null,
  variables: null,
  attachments: null,
  trackOpens: true,
  trackClicks: true,
}

/** Reads the content of messages. Simultaneous reads share a statement. */
export function createContentReader(db: Db): ReadContent {
  const readOwn = createBatcher<ContentKey, Content | undefined>({
    maxItems: perRead,
    inFlight: 2,
    eachAlone: false,
    async flush(keys) {
      const contents = new Map((await findContents(db, keys)).map((row) => [row.id, row]))
      return keys.map(({ id }) => contents.get(id))
    },
  })
  return async (message) => (message.campaignId === null ? readOwn(message) : campaignContent)
}
