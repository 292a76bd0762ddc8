/** The actions for the selected contacts. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { contactWords } from '../../words/contacts.ts'
import { number, words } from '../../words/words.ts'
import type { Contact } from './columns.tsx'

/** Simultaneous calls; all pages of a person share one rate limit. */
const atOnce = 5

async function forEach(
  contacts: readonly Contact[],
  change: (contact: Contact) => Promise<unknown>,
) {
  for (let start = 0; start < contacts.length; start += atOnce) {
    await Promise.all(contacts.slice(start, start + atOnce).map(change))
  }
}

type Act = 'tag' | 'untag' | 'unsubscribe' | 'suppress' | 'erase'

const dangerous: ReadonlySet<Act> = new Set(['unsubscribe', 'suppress', 'erase'])

export function BulkBar({ contacts, onEnd }: { contacts: readonly Contact[]; onEnd: () => void }) {
  const [act, choose] = useState<Act>()
  const [text, setText] = useState('')
  const business_id = useBusinessId()
  const mayErase = useMay('admin')
  const { bulk } = contactWords
  const count = number(contacts.length)
  const open = (next: Act) => {
    setText('')
    choose(next)
  }
  const work = useMutation({
    mutationFn: async () => {
      const word = text.trim()
      const changing: Contact[] = []
      await forEach(contacts, async (contact) => {
        if (!act || !(await isChangedBy(act, contact, word))) return
        await changeOne(act, contact, word)
        changing.push(contact)
      })
      return { changing, word, done: act }
    },
    onSuccess: ({ changing, word, done }) => {
      const total = number(changing.length)
      if (changing.length === 0) tell(bulk.unchanged)
      else if (done === 'tag')
        tell(bulk.tagged(total, word), { undo: undoing(changing, 'untag', word) })
      else if (done === 'untag')
        tell(bulk.untagged(total, word), { undo: undoing(changing, 'tag', word) })
      else tell(bulk.done(total))
      choose(undefined)
      onEnd()
    },
    onError: (error) => tellFailure(bulk.failed, problemOf(error).message),
  })
  /** Those who had the tag before keep it, since they were not changed. */
  const undoing = (people: readonly Contact[], act: Act, word: string) => () => {
    forEach(people, (contact) => changeOne(act, contact, word)).then(
      () => tell(words.undone),
      (error) => tellFailure(bulk.failed, problemOf(error).message),
    )
  }
  /** By the tags of this moment: the list may be older, and undoing takes back what was changed alone. */
  const isChangedBy = async (wanted: Act, { contact_id }: Contact, word: string) => {
    if (wanted !== 'tag' && wanted !== 'untag') return true
    const { tags } = await api.contact.get({ business_id, contact_id })
    return tags.includes(word) === (wanted === 'untag')
  }
  const changeOne = (wanted: Act, { contact_id, email, phone }: Contact, word: string) => {
    const address = email !== null ? { email } : { phone: phone ?? '' }
    switch (wanted) {
      case 'suppress':
        return api.contact.suppress({ business_id, contact_id })
      case 'erase':
        return api.contact.erase({ business_id, contact_id })
      case 'unsubscribe': {
        const no = { status: 'unsubscribed', source: word } as const
        const consent = { ...(email !== null && { email: no }), ...(phone !== null && { sms: no }) }
        return api.contact.upsert({ business_id, ...address, consent })
      }
      default:
        return api.contact.upsert({
          business_id,
          ...address,
          ...(wanted === 'tag' ? { tags: [word] } : { remove_tags: [word] }),
        })
    }
  }
  const explanations: Partial<Record<Act, string>> = {
    suppress: bulk.suppressText(count),
    unsubscribe: bulk.unsubscribeText(count),
    erase: bulk.eraseText(count),
  }
  const needsText = act === 'tag' || act === 'untag' || act === 'unsubscribe'
  return (
    <section
      aria-label={contactWords.selected(count)}
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-2 max-sm:px-4"
    >
      <span className="font-medium tabular-nums">{contactWords.selected(count)}</span>
      <span className="flex-1 max-sm:hidden" />
      <Button icon="tag" onClick={() => open('tag')}>
        {bulk.tag}
      </Button>
      <Button onClick={() => open('untag')}>{bulk.untag}</Button>
      <ExportButton of={{ filter: filterOf(contacts) }} />
      <Button onClick={() => open('unsubscribe')}>{bulk.unsubscribe}</Button>
      <Button look="danger" onClick={() => open('suppress')}>
        {bulk.suppress}
      </Button>
      {mayErase && (
        <Button look="danger" onClick={() => open('erase')}>
          {bulk.erase}
        </Button>
      )}
      <IconButton icon="close" label={bulk.clear} onClick={onEnd} />
      <Dialog
        open={act !== undefined}
        onClose={() => choose(undefined)}
        title={act ? bulk[act] : bulk.tag}
        description={act && explanations[act]}
      >
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            work.mutate()
          }}
        >
          {needsText && (
            <Input
              label={act === 'unsubscribe' ? bulk.why : bulk.tagName}
              hint={act === 'unsubscribe' ? bulk.whyHint : undefined}
              required
              maxLength={act === 'unsubscribe' ? 200 : 64}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
          <DialogActions>
            <Button onClick={() => choose(undefined)}>{words.cancel}</Button>
            <Button
              look={act && dangerous.has(act) ? 'danger' : 'main'}
              type="submit"
              busy={work.isPending}
            >
              {act ? bulk[act] : bulk.tag}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </section>
  )
}

/** A condition takes so many values at most. */
const valuesPerCondition = 500

/** The selected people, by their addresses. */
function filterOf(contacts: readonly Contact[]) {
  const conditions = (field: 'email' | 'phone', values: readonly string[]) =>
    Array.from({ length: Math.ceil(values.length / valuesPerCondition) }, (_, i) => ({
      field,
      op: 'in' as const,
      value: values.slice(i * valuesPerCondition, (i + 1) * valuesPerCondition),
    }))
  const emails = contacts.flatMap(({ email }) => (email === null ? [] : [email]))
  const phones = contacts.flatMap(({ email, phone }) =>
    email === null && phone !== null ? [phone] : [],
  )
  return { or: [...conditions('email', emails), ...conditions('phone', phones)] }
}
