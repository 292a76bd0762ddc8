/** What the links of a draft get: the values of the business, its own, or none. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { type Utm, UtmExample, UtmFields } from '../../parts/utm/utm-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { settingsWords } from '../../words/settings.ts'
import type { WholeCampaign } from './campaign.tsx'

const ways = ['business', 'own', 'none'] as const

interface Typed {
  way: (typeof ways)[number]
  values: Utm
}

function storedChoice({ utm }: WholeCampaign): Typed {
  if (utm === null) return { way: 'business', values: {} }
  return { way: Object.keys(utm).length > 0 ? 'own' : 'none', values: utm }
}

export function UtmSetUp({ campaign }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id, version, name } = campaign
  const [typed, setTyped] = useUnsaved<Typed | null>(`utm ${business_id} ${campaign_id}`, null)
  const { way, values } = typed ?? storedChoice(campaign)
  const settings = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  const save = useMutation({
    mutationFn: () => {
      const utm = { business: null, own: { ...values }, none: {} }[way]
      return api.campaign.save({ business_id, campaign_id, if_version: version, utm })
    },
    onSuccess: () => {
      setTyped(null)
      tell(settingsWords.utm.saved)
    },
  })
  const ofBusiness = settings.data?.utm ?? {}
  return (
    <Card title={settingsWords.utm.title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <fieldset disabled={!may} className="grid gap-2">
          <legend className="mb-2 text-muted">{settingsWords.utm.about}</legend>
          {ways.map((word) => (
            <label key={word} className="flex items-center gap-2 max-sm:py-1">
              <input
                type="radio"
                name="utm"
                className="size-3.5 accent-accent"
                checked={way === word}
                onChange={() => setTyped({ way: word, values })}
              />
              {settingsWords.utm.ways[word]}
            </label>
          ))}
        </fieldset>
        {way === 'own' && (
          <UtmFields
            values={values}
            onChange={(next) => setTyped({ way, values: next })}
            fault={faultOf(save.error)}
          />
        )}
        {way === 'business' && settings.data && !settings.data.utm && (
          <p className="text-sm text-muted">{settingsWords.utm.unset}</p>
        )}
        {way !== 'none' && <UtmExample values={way === 'own' ? values : ofBusiness} name={name} />}
        {save.error && <Failure error={save.error} />}
        {may && typed && (
          <div className="flex justify-end">
            <Button type="submit" busy={save.isPending}>
              {settingsWords.utm.save}
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}
