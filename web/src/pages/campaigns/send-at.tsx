/** The field for the time at which a campaign goes out. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { zoneInWords } from '../../parts/schedule-text.ts'
import { Input } from '../../ui/field.tsx'
import { campaignWords } from '../../words/campaigns.ts'

interface SendAtProps {
  value: string
  onChange: (value: string) => void
  fault: string | undefined
  /** It is a time on the recipients' own clocks. */
  isLocal?: boolean
}

export function SendAt({ value, onChange, fault, isLocal = false }: SendAtProps) {
  const business_id = useBusinessId()
  const { when } = campaignWords
  const { data } = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  const zone = data && when.zone(zoneInWords(data.time_zone))
  return (
    <Input
      label={when.at}
      type="datetime-local"
      required
      min={data && clockIn(data.time_zone)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      hint={isLocal ? when.zoneOfEach : zone}
      fault={fault}
    />
  )
}

/** What the clocks of the zone show now, as the field takes it: the earliest time to choose. */
function clockIn(timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(new Date()).replace(' ', 'T')
}
