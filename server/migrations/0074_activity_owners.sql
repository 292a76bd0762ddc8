-- 0032 creates these statistics since it was edited. A database to which it was applied before lacks
-- them: a small business's activities of a campaign or form are then estimated as next to none.
create statistics if not exists contact_activity_owners (dependencies)
  on business_id, campaign_id, form_id from contact_activity;
