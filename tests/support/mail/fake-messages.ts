/** Sent messages and the reports on them, for tests without the domain `messages`. */
import type { MessageFacts, Messages } from 'crier-server/bounces/message-lookup.ts'
import { type Id, newId } from 'crier-server/core/ids.ts'
import type { MessageReport } from 'crier-server/messages/reports/reports.ts'

const unsent = {
  route: null,
  senderDomain: null,
  kind: 'transactional',
  state: 'accepted',
  provider: null,
} as const

export class FakeMessages implements Messages {
  readonly news: MessageReport[] = []
  readonly paused: Id<'message'>[] = []
  readonly #sent = new Map<Id<'message'>, MessageFacts>()

  /** Records a message as sent to the address. */
  sent(businessId: Id<'business'>, to = 'ana@example.com'): Omit<MessageFacts, 'contactId'> {
    const channel = to.startsWith('+') ? 'sms' : 'email'
    const common = { id: newId('message'), businessId, channel } as const
    const message = { ...common, to, ...unsent, isTracked: true }
    this.#sent.set(message.id, { ...message, contactId: null })
    return message
  }

  async find(_db: unknown, ids: readonly Id<'message'>[]): Promise<MessageFacts[]> {
    return ids.flatMap((id) => this.#sent.get(id) ?? [])
  }

  /** The topic that all messages have. */
  topic: string | undefined

  async topicOf(): Promise<string | undefined> {
    return this.topic
  }

  /** Whether all messages ask for permission to write. */
  asks = false

  async asksPermission(): Promise<boolean> {
    return this.asks
  }

  /** When a mail server accepted each message. */
  readonly accepted = new Map<Id<'message'>, Date>()

  async acceptances(
    _db: unknown,
    keys: readonly { messageId: Id<'message'> }[],
  ): Promise<{ messageId: Id<'message'>; at: Date }[]> {
    return keys.flatMap(({ messageId }) => {
      const at = this.accepted.get(messageId)
      return at ? [{ messageId, at }] : []
    })
  }

  async recordReports(_tx: unknown, news: MessageReport[]): Promise<void> {
    this.news.push(...news)
  }

  async noteAnswers(): Promise<number> {
    return 0
  }

  async pauseStream(_tx: unknown, { id }: MessageFacts): Promise<void> {
    this.paused.push(id)
  }
}
