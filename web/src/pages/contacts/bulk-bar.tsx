/** The actions for the selected contacts. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
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

export function BulkBar({ contacts, onEnd }: { contacts: readonly Contact[]; onEnd: () => void }) {
  const [asked, ask] = useState<'tag' | 'suppress'>()
  const [tag, setTag] = useState('')
  const business_id = useBusinessId()
  const { bulk } = contactWords
  const count = number(contacts.length)
  const work = useMutation({
    mutationFn: () =>
      forEach(contacts, ({ contact_id, email, phone }) =>
        asked === 'suppress'
          ? api.contact.suppress({ business_id, contact_id })
          : api.contact.upsert({
              business_id,
              ...(email !== null ? { email } : { phone: phone ?? '' }),
              tags: [tag.trim()],
            }),
      ),
    onSuccess: () => {
      tell(bulk.done(count))
      ask(undefined)
      onEnd()
    },
    onError: (error) => tellFailure(bulk.failed, problemOf(error).message),
  })
  return (
    <section
      aria-label={contactWords.selected(count)}
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-2 max-sm:px-4"
    >
      <span className="font-medium tabular-nums">{contactWords.selected(count)}</span>
      <span className="flex-1" />
      <Button icon="tag" onClick={() => ask('tag')}>
        {bulk.tag}
      </Button>
      <Button look="danger" onClick={() => ask('suppress')}>
        {bulk.suppress}
      </Button>
      <IconButton icon="close" label={bulk.clear} onClick={onEnd} />
      <Dialog
        open={asked !== undefined}
        onClose={() => ask(undefined)}
        title={asked === 'suppress' ? bulk.suppress : bulk.tag}
        description={asked === 'suppress' ? bulk.suppressText(count) : undefined}
      >
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            work.mutate()
          }}
        >
          {asked === 'tag' && (
            <Input
              label={bulk.tagName}
              required
              maxLength={64}
              value={tag}
              onChange={({ target }) => setTag(target.value)}
            />
          )}
          <DialogActions>
            <Button onClick={() => ask(undefined)}>{words.cancel}</Button>
            <Button
              look={asked === 'suppress' ? 'danger' : 'main'}
              type="submit"
              busy={work.isPending}
            >
              {asked === 'suppress' ? bulk.suppress : bulk.tag}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </section>
  )
}
