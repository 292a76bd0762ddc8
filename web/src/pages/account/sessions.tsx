/** The browsers in which the person is signed in, and the way to end one or all others. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { sessionWords } from '../../words/account.ts'
import { ago, day, moment, words } from '../../words/words.ts'
import { Address } from './address.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { CompanyAccounts } from './company-accounts.tsx'
import { Passkeys } from './passkeys.tsx'

type Session = Awaited<ReturnType<typeof api.session.list>>['sessions'][number]

function nameOf({ browser, system }: Session): string {
  if (browser !== null && system !== null) return sessionWords.on(browser, system)
  return browser ?? system ?? sessionWords.unknown
}

/** The name of a country in the reader's language. */
const countryName = (code: string): string =>
  new Intl.DisplayNames(document.documentElement.lang, { type: 'region' }).of(code) ?? code

const phones = new Set(['iPhone', 'iPad', 'Android'])

export function Sessions() {
  const [ending, end] = useState<Session | 'others'>()
  const sessions = sessionWords
  const list = useQuery({
    queryKey: ['session.list'],
    queryFn: ({ signal }) => api.session.list({}, { signal }),
  })
  const all = list.data?.sessions ?? []
  // This browser comes first, whichever was used last.
  const sorted = [...all.filter((entry) => entry.is_this), ...all.filter((entry) => !entry.is_this)]
  return (
    <Page
      title={sessions.title}
      actions={
        all.length > 1 && (
          <Button look="danger" onClick={() => end('others')}>
            {sessions.others}
          </Button>
        )
      }
    >
      <Body narrow>
        <p className="text-muted">{sessions.about}</p>
        {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && !list.error && <Skeleton lines={4} />}
        {all.length > 0 && (
          <Card flush>
            <ul className="divide-y divide-line">
              {sorted.map((entry) => (
                <Row key={entry.session_id} one={entry} onEnd={() => end(entry)} />
              ))}
            </ul>
          </Card>
        )}
        {all.length === 1 && <p className="text-sm text-muted">{sessions.alone}</p>}
        <Passkeys />
        <AuthenticatorApp />
        <CompanyAccounts />
        <Address />
      </Body>
      <End one={ending} onClose={() => end(undefined)} />
    </Page>
  )
}

function Row({ one, onEnd }: { one: Session; onEnd: () => void }) {
  const sessions = sessionWords
  const { address, is_this, system } = one
  const name = nameOf(one)
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <span className="grid size-8 shrink-0 place-items-center rounded-lg border border-line text-muted">
        <Icon name={system !== null && phones.has(system) ? 'phone' : 'screen'} />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {is_this && <Badge tone="good">{sessions.this}</Badge>}
        </h2>
        <p className="text-sm text-muted">
          <time dateTime={one.signed_in_at} title={moment(one.signed_in_at)}>
            {sessions.since(day(one.signed_in_at))}
          </time>
          {address !== null && (
            <>
              {` ${sessions.from} `}
              <bdi>{address}</bdi>
              {one.country !== null && ` (${countryName(one.country)})`}
            </>
          )}
          {!is_this && (
            <>
              {' · '}
              <time dateTime={one.last_used_at} title={moment(one.last_used_at)}>
                {sessions.seen(ago(one.last_used_at))}
              </time>
            </>
          )}
        </p>
      </div>
      <Button
        look={is_this ? 'plain' : 'danger'}
        onClick={onEnd}
        {...(!is_this && { 'aria-label': `${sessions.end} ${name}` })}
      >
        {is_this ? sessions.signOut : sessions.end}
      </Button>
    </li>
  )
}

function End({ one, onClose }: { one: Session | 'others' | undefined; onClose: () => void }) {
  const sessions = sessionWords
  // The dialog keeps its words while it closes.
  const [shown, setShown] = useState(one)
  if (one !== undefined && one !== shown) setShown(one)
  const work = useMutation({
    mutationFn: async (what: Session | 'others') => {
      if (what === 'others') return api.session.end({ others: true })
      const answer = await api.session.end({ session_id: what.session_id })
      if (!what.is_this) return answer
      location.assign('/login')
      // Nothing is read any more: the page is left, and its session has ended.
      return new Promise<never>(() => {})
    },
    onSuccess: ({ ended }, what) => {
      tell(what === 'others' ? sessions.othersEnded(ended) : sessions.ended)
      onClose()
    },
  })
  if (shown === undefined) return null
  const { title, text, action } = textsOf(shown)
  return (
    <Dialog open={one !== undefined} onClose={onClose} title={title} description={text}>
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate(shown)}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function textsOf(what: Session | 'others'): { title: string; text: string; action: string } {
  const sessions = sessionWords
  if (what === 'others') {
    return { title: sessions.othersTitle, text: sessions.othersText, action: sessions.others }
  }
  if (what.is_this) {
    return { title: sessions.signOutTitle, text: sessions.signOutText, action: sessions.signOut }
  }
  const title = sessions.endTitle(nameOf(what))
  return { title, text: sessions.endText, action: sessions.end }
}
