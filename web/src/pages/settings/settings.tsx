/** The identity of a business, its sending settings, and what needs a person's approval. */
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { languagesWith } from '../../parts/recipient-languages.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Checkbox, Input, Select, SuggestInput, TextArea } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { Approval } from './approval.tsx'
import { Archive, archiveIn } from './archive.tsx'
import { Attention } from './attention.tsx'
import { ownZone, zoneOf, zones } from './choices.ts'
import { labelsOf } from './labels.ts'
import { Links } from './links.tsx'
import type { Changes, PartProps, Settings, Stored } from './model.ts'
import { Retention } from './retention.tsx'

// Loaded when the form is there, so that the page appears sooner.
const CloseBusiness = lazyPart(() => import('./close-business.tsx'), 'CloseBusiness')
const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

export function SettingsPage() {
  const business_id = useBusinessId()
  const isOwner = useMay('owner')
  const { data, error, refetch } = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  return (
    <Page
      title={settingsWords.title}
      actions={data && <ForDevelopers value={data} id={data.business_id} />}
    >
      <Body narrow>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data ? (
          <>
            <SettingsForm key={business_id} settings={data} />
            {isOwner && (
              <Suspense>
                <CloseBusiness business_id={business_id} name={data.name} />
              </Suspense>
            )}
          </>
        ) : (
          !error && <Skeleton lines={9} />
        )}
      </Body>
    </Page>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  const { business_id } = settings
  const isOwner = useMay('owner')
  const draft = useDraft<Stored>({
    name: `settings ${business_id}`,
    version: settings.version,
    stored: {
      ...settings,
      utm: settings.utm ?? {},
      attention: settings.attention ?? {},
      archive: { ...archiveIn(settings) },
    },
    saved: settings.saved,
  })
  const changes: Changes = draft.changed
  const setChanges = (next: Changes) => draft.change(next)
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    async (changed) => {
      const { warnings } = await api.business.save({
        business_id,
        ...changed,
        if_version: draft.version,
      })
      tell(words.saved, warnings[0] === undefined ? {} : { description: warnings.join(' ') })
    },
    () => undefined,
  )
  const fault = faultOf(error)
  return (
    <form
      className="grid gap-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save(undefined)
      }}
    >
      <fieldset disabled={!isOwner} className="contents">
        <About {...{ settings, changes, setChanges, fault }} />
        <Sending {...{ settings, changes, setChanges, fault }} />
        <Links {...{ settings, changes, setChanges, fault }} />
        <Archive {...{ settings, changes, setChanges, fault }} />
        <Approval {...{ settings, changes, setChanges, fault }} />
        <Attention
          saved={settings.attention}
          change={changes.attention}
          onChange={(attention) => setChanges({ ...changes, attention })}
          fault={fault}
        />
        <Retention
          saved={settings.retention}
          changes={changes.retention}
          setChanges={(retention) =>
            setChanges({ ...changes, retention: { ...settings.retention, ...retention } })
          }
          fault={fault}
        />
      </fieldset>
      <Suspense>
        <DraftNotices draft={draft} isRetrying={isRetrying} labels={labelsOf()} />
      </Suspense>
      {error && <Failure error={error} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Copyable text={business_id} />
        {isOwner ? (
          <Button
            look="main"
            type="submit"
            busy={isSaving}
            disabled={!draft.isChanged || draft.conflicts.length > 0}
          >
            {words.save}
          </Button>
        ) : (
          <p className="text-muted">{settingsWords.onlyOwners}</p>
        )}
      </div>
    </form>
  )
}

/** The value and setter of a text field; empty becomes null where the field allows it. */
function textField({ settings, changes, setChanges, fault }: PartProps) {
  return (
    field:
      | 'name'
      | 'time_zone'
      | 'language'
      | 'postal_address'
      | 'reply_to'
      | 'sms_sender'
      | 'sms_help'
      | 'colour'
      | 'privacy_url',
  ) => ({
    value: (field in changes ? changes[field] : settings[field]) ?? '',
    onChange: ({ target }: { target: { value: string } }) => {
      const isNeeded = field === 'name' || field === 'time_zone' || field === 'language'
      setChanges({ ...changes, [field]: target.value === '' && !isNeeded ? null : target.value })
    },
    fault: fault(field),
  })
}

function About(props: PartProps) {
  const { about } = settingsWords
  const text = textField(props)
  const zone = text('time_zone')
  const setZone = (value: string) => {
    if (value !== zone.value) zone.onChange({ target: { value } })
  }
  return (
    <Card title={about.title}>
      <div className="grid gap-4">
        <Input label={about.name} required {...text('name')} />
        <TextArea
          label={about.address}
          hint={about.addressHint}
          rows={3}
          {...text('postal_address')}
        />
        <Input
          label={about.privacy}
          hint={about.privacyHint}
          type="url"
          placeholder="https://shop.example/privacy"
          {...text('privacy_url')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <div>
            <SuggestInput
              label={about.zone}
              hint={about.zoneHint}
              suggestions={zones}
              {...zone}
              onBlur={() => setZone(zoneOf(zone.value))}
            />
            {zone.value === 'UTC' && ownZone() !== 'UTC' && (
              <Button className="mt-2" onClick={() => setZone(ownZone())}>
                {about.ownZone(ownZone())}
              </Button>
            )}
          </div>
          <Select
            label={about.language}
            hint={about.languageHint}
            options={languagesWith(String(text('language').value))}
            {...text('language')}
          />
        </div>
      </div>
    </Card>
  )
}

const trackingPolicies = ['everyone', 'agreed', 'nobody'] as const

function Sending(props: PartProps) {
  const { settings, changes, setChanges, fault } = props
  const { sending } = settingsWords
  const text = textField(props)
  const sender = changes.sender === undefined ? settings.sender : changes.sender
  const setSender = (part: { name?: string; email?: string }) => {
    const next = { name: sender?.name ?? '', email: sender?.email ?? '', ...part }
    const { name, email } = next
    const whole = email === '' ? null : { email, ...(name !== '' && { name }) }
    setChanges({ ...changes, sender: whole })
  }
  const flag = (field: 'track_opens' | 'track_clicks' | 'track_transactional') => ({
    checked: changes[field] ?? settings[field],
    onChange: ({ target }: { target: { checked: boolean } }) =>
      setChanges({ ...changes, [field]: target.checked }),
  })
  return (
    <Card title={sending.title}>
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={sending.sender}
            hint={sending.senderHint}
            type="email"
            value={sender?.email ?? ''}
            onChange={({ target }) => setSender({ email: target.value })}
            fault={fault('sender')}
          />
          <Input
            label={sending.senderName}
            disabled={!sender?.email}
            value={sender?.name ?? ''}
            onChange={({ target }) => setSender({ name: target.value })}
          />
          <Input
            label={sending.replyTo}
            hint={sending.replyToHint}
            type="email"
            {...text('reply_to')}
          />
          <Input label={sending.smsSender} hint={sending.smsSenderHint} {...text('sms_sender')} />
        </div>
        <TextArea label={sending.smsHelp} rows={2} {...text('sms_help')} />
        <Checkbox label={sending.opens} {...flag('track_opens')} />
        <Checkbox label={sending.clicks} {...flag('track_clicks')} />
        <Checkbox
          label={sending.transactional}
          hint={sending.transactionalHint}
          {...flag('track_transactional')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={sending.tracking}
            hint={sending.trackingHint}
            options={trackingPolicies.map((policy) => [policy, sending.policies[policy]] as const)}
            value={changes.tracking ?? settings.tracking}
            onChange={({ target }) => {
              const tracking = trackingPolicies.find((policy) => policy === target.value)
              if (tracking) setChanges({ ...changes, tracking })
            }}
          />
          <Input
            label={sending.attribution}
            type="number"
            min={1}
            max={90}
            required
            value={changes.attribution_days ?? settings.attribution_days}
            onChange={({ target }) =>
              setChanges({ ...changes, attribution_days: Number(target.value) })
            }
            fault={fault('attribution_days')}
          />
        </div>
      </div>
    </Card>
  )
}
