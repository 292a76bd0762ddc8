-- Campaigns that are planned or under way, by state, for the metrics of the whole service.
create index campaigns_open on campaigns (state)
  where state in ('scheduled', 'awaiting_approval', 'deployed', 'paused');
