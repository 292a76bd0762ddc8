import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { MailPreview } from './mail-preview.tsx'

type Content = NonNullable<WholeCampaign['variants'][number]['content']>

/** Text that the service derived from the HTML is not sent back as if a person had written it. */
export function WhatStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id, channel } = campaign
  const { what, save: saveLabel } = words.campaigns
  const [variant] = campaign.variants
  const stored = variant?.content ?? {}
  const [changed, setChanged] = useUnsaved<Partial<Content>>(`content ${campaign_id}`, {})
  const [saves, setSaves] = useState(0)
  const source = stored.mjml === undefined ? 'html' : 'mjml'
  const textOf = (field: keyof Content) => changed[field] ?? stored[field] ?? ''
  const set = (field: keyof Content) => (event: { target: { value: string } }) =>
    setChanged({ ...changed, [field]: event.target.value })
  const isChanged = Object.keys(changed).length > 0

  const save = useMutation({
    mutationFn: async () => {
      if (isChanged) await api.campaign.save({ business_id, campaign_id, content: changed })
    },
    onSuccess: () => {
      if (isChanged) tell(what.saved)
      setChanged({})
      setSaves((count) => count + 1)
    },
  })
  const fault = faultOf(save.error)
  return (
    <form
      className="grid items-start gap-5 lg:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined, { onSuccess: onDone })
      }}
    >
      <Card title={words.campaigns.steps.what}>
        <div className="grid gap-4">
          {channel === 'sms' ? (
            <TextArea
              label={what.sms}
              hint={what.liquid}
              required
              rows={6}
              value={textOf('text')}
              onChange={set('text')}
              fault={fault('content')}
            />
          ) : (
            <>
              <Input
                label={what.subject}
                required
                value={textOf('subject')}
                onChange={set('subject')}
                fault={fault('content.subject')}
              />
              <Input
                label={what.preheader}
                hint={what.preheaderHint}
                value={textOf('preheader')}
                onChange={set('preheader')}
                fault={fault('content.preheader')}
              />
              <TextArea
                label={what[source]}
                hint={what.liquid}
                required
                rows={16}
                spellCheck={false}
                className="font-mono text-sm"
                value={textOf(source)}
                onChange={set(source)}
                fault={fault(`content.${source}`)}
              />
            </>
          )}
          {save.error && <Failure error={save.error} />}
          {may && (
            <div className="flex flex-wrap justify-end gap-2">
              <Button busy={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
                {words.save}
              </Button>
              <Button look="main" type="submit" busy={save.isPending}>
                {saveLabel}
              </Button>
            </div>
          )}
        </div>
      </Card>
      <MailPreview campaign={campaign} version={`${saves} ${campaign.updated_at}`} />
    </form>
  )
}
