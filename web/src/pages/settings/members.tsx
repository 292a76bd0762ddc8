/** The members and invitations. An owner changes them, and everybody may leave. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { ownershipWords, ruleWords } from '../../words/factors.ts'
import { memberWords } from '../../words/settings.ts'
import { ago, day, moment, words } from '../../words/words.ts'
import { CompanySignIn } from './company-sign-in.tsx'
import { FactorRules } from './factor-rules.tsx'
import { MemberForm } from './member-form.tsx'
import { OwnershipOffer, Transfer } from './ownership.tsx'

export type Member = Awaited<ReturnType<typeof api.member.list>>['members'][number]

export function Members() {
  const business_id = useBusinessId()
  const isOwner = useMay('owner')
  const [asked, ask] = useState<'invite' | Member>()
  const [removing, remove] = useState<Member>()
  const [resetting, reset] = useState<Member>()
  const [accepting, accept] = useState<Member>()
  const [receiving, transfer] = useState<Member>()
  const [releasing, release] = useState<Member>()
  const members = memberWords
  const list = useQuery({
    queryKey: ['member.list', business_id],
    queryFn: ({ signal }) => api.member.list({ business_id, limit: 200 }, { signal }),
  })
  return (
    <Page
      title={members.title}
      actions={
        isOwner && (
          <Button look="main" icon="plus" onClick={() => ask('invite')}>
            {members.invite}
          </Button>
        )
      }
    >
      <Body narrow>
        <OwnershipOffer />
        {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && !list.error && <Skeleton lines={4} />}
        {list.data && (
          <Card flush>
            <ul className="divide-y divide-line">
              {list.data.members.map((member) => (
                <li
                  key={member.user_id}
                  className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2"
                >
                  <div className="min-w-0 flex-1 basis-48">
                    <p className="truncate">
                      <bdi className="font-medium">{member.email}</bdi>
                      {member.is_you && <span className="text-muted"> · {members.you}</span>}
                    </p>
                    <p className="text-sm text-muted">
                      {words.role[member.role]} {members.since(day(member.member_since))}
                    </p>
                    <SignedIn member={member} />
                  </div>
                  <div className="flex flex-wrap items-center gap-2">
                    {isOwner && !member.is_you && member.factor_counts_from !== null && (
                      <Button look="quiet" onClick={() => accept(member)}>
                        {ruleWords.accept}
                      </Button>
                    )}
                    {isOwner && !member.is_you && member.held_at !== null && (
                      <Button look="quiet" onClick={() => release(member)}>
                        {ruleWords.release}
                      </Button>
                    )}
                    {isOwner && !member.is_you && member.has_second_factor && (
                      <Button look="quiet" onClick={() => reset(member)}>
                        {member.factor_reset_at === null ? ruleWords.reset : ruleWords.confirmReset}
                      </Button>
                    )}
                    {isOwner && !member.is_you && member.role !== 'owner' && (
                      <Button look="quiet" onClick={() => transfer(member)}>
                        {ownershipWords.transfer}
                      </Button>
                    )}
                    {isOwner && !member.is_you && (
                      <Button look="quiet" onClick={() => ask(member)}>
                        {members.change}
                      </Button>
                    )}
                    {(isOwner || member.is_you) && (
                      <Button look="danger" onClick={() => remove(member)}>
                        {member.is_you ? members.leave : members.remove}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {isOwner && <Invitations />}
        <FactorRules />
        {isOwner && <CompanySignIn />}
      </Body>
      {asked !== undefined && (
        <MemberForm {...(asked !== 'invite' && { member: asked })} onClose={() => ask(undefined)} />
      )}
      {receiving && <Transfer member={receiving} onClose={() => transfer(undefined)} />}
      {accepting && <Accept member={accepting} onClose={() => accept(undefined)} />}
      {releasing && <Release member={releasing} onClose={() => release(undefined)} />}
      {resetting && <Reset member={resetting} onClose={() => reset(undefined)} />}
      {removing && <Removal member={removing} onClose={() => remove(undefined)} />}
    </Page>
  )
}

/** When and how the member last signed in, for owners. */
function SignedIn({ member }: { member: Member }) {
  const {
    last_signed_in_at: at,
    last_signed_in_by: by,
    has_second_factor,
    factor_reset_at,
    factor_counts_from,
    held_at,
  } = member
  if (has_second_factor === null) return null
  return (
    <p className="text-sm text-muted">
      {has_second_factor ? ruleWords.has : ruleWords.hasNone}
      {at !== null && (
        <>
          {' · '}
          <time dateTime={at} title={moment(at)}>
            {ruleWords.signedIn(ago(at))}
          </time>
          {by !== null && ` ${ruleWords.ways[by] ?? ''}`}
        </>
      )}
      {factor_counts_from !== null && ` · ${ruleWords.newFactor(moment(factor_counts_from))}`}
      {held_at !== null && ` · ${ruleWords.held(moment(held_at))}`}
      {factor_reset_at !== null && ` · ${ruleWords.resetWaits(moment(factor_reset_at))}`}
    </p>
  )
}

function Accept({ member, onClose }: { member: Member; onClose: () => void }) {
  const business_id = useBusinessId()
  const { user_id, email } = member
  const work = useMutation({
    mutationFn: () => api.factor.accept({ business_id, user_id }),
    onSuccess: () => {
      tell(ruleWords.accepted)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={ruleWords.acceptTitle(email)}
      description={ruleWords.acceptText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {ruleWords.accept}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Release({ member, onClose }: { member: Member; onClose: () => void }) {
  const business_id = useBusinessId()
  const { user_id, email } = member
  const work = useMutation({
    mutationFn: () => api.member.release({ business_id, user_id }),
    onSuccess: () => {
      tell(ruleWords.released)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={ruleWords.releaseTitle(email)}
      description={ruleWords.releaseText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {ruleWords.release}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Reset({ member, onClose }: { member: Member; onClose: () => void }) {
  const business_id = useBusinessId()
  const { user_id, email, factor_reset_at } = member
  // An owner asked for it already.
  const isConfirmed = factor_reset_at !== null
  const withdrawal = useMutation({
    mutationFn: () => api.factor.withdraw_reset({ business_id, user_id }),
    onSuccess: () => {
      tell(ruleWords.withdrawn)
      onClose()
    },
  })
  const work = useMutation({
    mutationFn: () => api.factor.reset({ business_id, user_id }),
    onSuccess: ({ status }) => {
      tell(status === 'done' ? ruleWords.resetDone : ruleWords.resetAsked)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={ruleWords.resetTitle(email)}
      description={isConfirmed ? ruleWords.confirmResetText : ruleWords.resetText}
    >
      {work.error && <Failure error={work.error} />}
      {withdrawal.error && <Failure error={withdrawal.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        {isConfirmed && (
          <Button busy={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
            {ruleWords.withdrawReset}
          </Button>
        )}
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {isConfirmed ? ruleWords.confirmReset : ruleWords.reset}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Invitations() {
  const business_id = useBusinessId()
  const members = memberWords
  const { data } = useQuery({
    queryKey: ['invitation.list', business_id],
    queryFn: ({ signal }) => api.invitation.list({ business_id }, { signal }),
  })
  const withdraw = useMutation({
    mutationFn: (invitation_id: string) => api.invitation.withdraw({ business_id, invitation_id }),
    onSuccess: () => tell(members.withdrawn),
    onError: (error) => tellFailure(members.failed, problemOf(error).message),
  })
  if (!data || data.invitations.length === 0) return null
  return (
    <Card title={members.pending} flush>
      <ul className="divide-y divide-line">
        {data.invitations.map(({ invitation_id, email, role }) => (
          <li key={invitation_id} className="flex min-h-12 flex-wrap items-center gap-3 px-4 py-2">
            <span className="min-w-0 flex-1 basis-48 truncate">
              <bdi>{email}</bdi> <span className="text-muted">· {words.role[role]}</span>
            </span>
            <Button busy={withdraw.isPending} onClick={() => withdraw.mutate(invitation_id)}>
              {members.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Removal({ member, onClose }: { member: Member; onClose: () => void }) {
  const business_id = useBusinessId()
  const members = memberWords
  const { is_you, user_id, email } = member
  const work = useMutation({
    mutationFn: async () => {
      if (!is_you) return void (await api.member.remove({ business_id, user_id }))
      await api.member.leave({ business_id })
      location.assign('/b')
    },
    onSuccess: () => {
      if (!is_you) tell(members.removed)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={is_you ? members.leave : members.remove}
      description={is_you ? members.leaveText : members.removeText(email)}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {is_you ? members.leave : members.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
