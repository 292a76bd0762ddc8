/** The accounts at identity providers by which the person can sign in. Shown where there are any. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { companyAccountWords } from '../../words/factors.ts'
import { ago, day, moment, words } from '../../words/words.ts'

type Identity = Awaited<ReturnType<typeof api.identity.list>>['identities'][number]

const hostOf = ({ issuer }: Identity): string => URL.parse(issuer)?.hostname ?? issuer

export function CompanyAccounts() {
  const [leaving, leave] = useState<Identity>()
  const { data } = useQuery({
    queryKey: ['identity.list'],
    queryFn: ({ signal }) => api.identity.list({}, { signal }),
  })
  const identities = data?.identities ?? []
  if (identities.length === 0) return null
  return (
    <Card title={companyAccountWords.title} flush>
      <ul className="divide-y divide-line">
        {identities.map((identity) => (
          <li
            key={`${identity.issuer} ${identity.subject}`}
            className="flex min-h-12 flex-wrap items-center gap-3 px-4 py-2"
          >
            <div className="min-w-0 flex-1 basis-48">
              <p className="truncate font-medium">{hostOf(identity)}</p>
              <p className="text-sm text-muted">
                <time dateTime={identity.linked_at} title={moment(identity.linked_at)}>
                  {companyAccountWords.linked(day(identity.linked_at))}
                </time>
                {' · '}
                <time dateTime={identity.last_used_at} title={moment(identity.last_used_at)}>
                  {companyAccountWords.used(ago(identity.last_used_at))}
                </time>
              </p>
            </div>
            <Button
              look="danger"
              aria-label={`${companyAccountWords.unlink} ${hostOf(identity)}`}
              onClick={() => leave(identity)}
            >
              {companyAccountWords.unlink}
            </Button>
          </li>
        ))}
      </ul>
      {leaving && <Unlink identity={leaving} onClose={() => leave(undefined)} />}
    </Card>
  )
}

function Unlink({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const { issuer, subject } = identity
  const work = useMutation({
    mutationFn: () => api.identity.unlink({ issuer, subject }),
    onSuccess: () => {
      tell(companyAccountWords.unlinked)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={companyAccountWords.unlinkTitle(hostOf(identity))}
      description={companyAccountWords.unlinkText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {companyAccountWords.unlink}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
