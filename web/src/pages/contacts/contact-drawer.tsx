/** One person beside the list: known facts, consent, and history. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { languageName } from '../../parts/recipient-languages.ts'
import { TagChip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Fact, Facts } from '../../ui/page.tsx'
import { RawDialog } from '../../ui/raw-dialog.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { contactWords } from '../../words/contacts.ts'
import { moment, words } from '../../words/words.ts'
import { StandingBadge } from './columns.tsx'
import type { ContactAct } from './confirm-contact.tsx'

// Loaded when it is asked for, as the form is.
const ConfirmContact = lazyPart(() => import('./confirm-contact.tsx'), 'ConfirmContact')
// Beside the name; it brings the code of menus.
const ContactMenu = lazyPart(() => import('./contact-menu.tsx'), 'ContactMenu')
// Shown below what is known of the person.
const Timeline = lazyPart(() => import('./timeline.tsx'), 'Timeline')
const Lift = lazyPart(() => import('../../parts/lift.tsx'), 'Lift')
const EditContact = lazyPart(() => import('./edit-contact.tsx'), 'EditContact')

export type WholeContact = Awaited<ReturnType<typeof api.contact.get>>

interface ContactDrawerProps {
  id: string | undefined
  /** Resolves once the URL names no contact any more. */
  onClose: () => Promise<void>
}

export function ContactDrawer({ id, onClose }: ContactDrawerProps) {
  const business_id = useBusinessId()
  // The drawer keeps its contact while it slides out.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  const query = useInfiniteQuery({
    queryKey: ['contact.get', business_id, shown],
    queryFn: ({ signal, pageParam }) =>
      api.contact.get(
        {
          business_id,
          contact_id: shown ?? '',
          limit: 50,
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: id !== undefined,
  })
  const contact = query.data?.pages[0]
  const [asked, ask] = useState<ContactAct | 'edit' | 'raw'>()
  const hide = () => ask(undefined)
  const title = contact?.name ?? contact?.email ?? contact?.phone ?? contactWords.unnamed
  return (
    <Drawer
      open={id !== undefined}
      onClose={() => void onClose()}
      title={title}
      actions={contact && <Actions contact={contact} onAsk={ask} />}
    >
      {query.error ? (
        <div className="p-4">
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : contact ? (
        <div className="grid divide-y divide-line *:p-4">
          <Details contact={contact} />
          <ConsentPart contact={contact} />
          <Suspense fallback={<Skeleton lines={3} />}>
            <Timeline
              contactId={contact.contact_id}
              entries={query.data?.pages.flatMap(({ timeline }) => timeline) ?? []}
              more={query.hasNextPage}
              busy={query.isFetchingNextPage}
              onMore={() => void query.fetchNextPage()}
            />
          </Suspense>
        </div>
      ) : (
        <Skeleton lines={9} />
      )}
      {contact && asked === 'edit' && (
        <Suspense>
          <EditContact contact={contact} onClose={hide} />
        </Suspense>
      )}
      {contact && (
        <RawDialog value={contact} id={contact.contact_id} open={asked === 'raw'} onClose={hide} />
      )}
      <Suspense>
        {contact && asked !== undefined && isAct(asked) && (
          <ConfirmContact contact={contact} act={asked} onClose={hide} onGone={onClose} />
        )}
      </Suspense>
    </Drawer>
  )
}

const isAct = (asked: string): asked is ContactAct =>
  asked === 'unsubscribe' || asked === 'suppress' || asked === 'erase'

interface ActionsProps {
  contact: WholeContact
  onAsk: (what: ContactAct | 'edit' | 'raw') => void
}

function Actions({ contact: { consent }, onAsk }: ActionsProps) {
  const mayEdit = useMay('editor')
  const statuses = [consent.email.status, consent.sms.status]
  const isSubscribed = statuses.some((status) => status === 'subscribed' || status === 'pending')
  return (
    <>
      {mayEdit && <Button onClick={() => onAsk('edit')}>{words.edit}</Button>}
      <Suspense>
        <ContactMenu isSubscribed={isSubscribed} onAsk={onAsk} />
      </Suspense>
    </>
  )
}

function Details({ contact }: { contact: WholeContact }) {
  const contacts = contactWords
  const { attributes, first_name, last_name } = contact
  return (
    <section aria-label={contacts.drawer.facts}>
      <Facts>
        {first_name !== null && (
          <Fact name={contacts.firstName}>
            <bdi>{first_name}</bdi>
          </Fact>
        )}
        {last_name !== null && (
          <Fact name={contacts.lastName}>
            <bdi>{last_name}</bdi>
          </Fact>
        )}
        {contact.email !== null && <Fact name={contacts.email}>{contact.email}</Fact>}
        {contact.phone !== null && <Fact name={contacts.phone}>{contact.phone}</Fact>}
        {contact.external_id !== null && (
          <Fact name={contacts.externalId}>
            <bdi>{contact.external_id}</bdi>
          </Fact>
        )}
        {contact.language !== null && (
          <Fact name={contacts.language}>{languageName(contact.language)}</Fact>
        )}
        {contact.tags.length > 0 && (
          <Fact name={contacts.tags}>
            <span className="flex flex-wrap gap-1">
              {contact.tags.map((tag) => (
                <TagChip key={tag}>{tag}</TagChip>
              ))}
            </span>
          </Fact>
        )}
        {Object.entries(attributes).map(([key, value]) => (
          <Fact key={key} name={key}>
            <bdi>{String(value)}</bdi>
          </Fact>
        ))}
        <Fact name={contacts.source}>{contacts.sources[contact.source]}</Fact>
        <Fact name={contacts.added}>{moment(contact.created_at)}</Fact>
      </Facts>
    </section>
  )
}

/** Each channel, and tracking, with every change and its evidence. */
function ConsentPart({ contact }: { contact: WholeContact }) {
  const contacts = contactWords
  const isOwner = useMay('owner')
  const [lifted, lift] = useState<'email' | 'sms'>()
  const address = lifted === 'sms' ? contact.phone : contact.email
  const channels = (['email', 'sms', 'tracking'] as const).filter(
    (subject) => subject !== 'sms' || contact.phone !== null,
  )
  return (
    <section className="grid gap-3" aria-labelledby="consent-heading">
      <h3 id="consent-heading" className="font-semibold">
        {contacts.drawer.consent}
      </h3>
      {contact.suppressed.map(({ channel, reason, since }) => (
        <p key={channel} className="flex items-center gap-2 text-bad">
          <Icon name="error" className="shrink-0" />
          {contacts.drawer.suppressed(
            contacts.channel[channel],
            contacts.drawer.reasons[reason] ?? reason,
          )}{' '}
          · {moment(since)}
          {isOwner && reason !== 'stop' && reason !== 'erased' && (
            <Button className="ml-auto" onClick={() => lift(channel)}>
              {contacts.drawer.lift}
            </Button>
          )}
        </p>
      ))}
      {lifted && address !== null && (
        <Suspense>
          <Lift
            of={lifted === 'sms' ? { phone: address } : { email: address }}
            name={address}
            onClose={() => lift(undefined)}
          />
        </Suspense>
      )}
      {channels.map((channel) => (
        <div key={channel} className="grid gap-1.5">
          <p className="flex items-center gap-2">
            <span className="w-16">{contacts.channel[channel]}</span>
            <StandingBadge
              status={
                channel === 'tracking' ? contact.consent.tracking.status : contact.standing[channel]
              }
            />
          </p>
          <ul className="grid gap-1.5 border-l border-line pl-3">
            {contact.consent[channel].history.map((change) => (
              <li key={`${change.at} ${change.action}`} className="text-sm">
                <span className="font-medium">{contacts.consent[change.action]}</span>{' '}
                <span className="text-muted">
                  {moment(change.at)} · <bdi>{change.source}</bdi>
                  {change.ip !== null && ` · ${contacts.drawer.from} ${change.ip}`}
                </span>
                {change.text !== null && (
                  <p className="text-muted">
                    <bdi>{contacts.drawer.quoted(change.text)}</bdi>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
