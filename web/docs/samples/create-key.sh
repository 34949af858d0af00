curl -s "$TAPELINE_URL/api/v1/internal/api-keys" \
  -H "Authorization: Bearer $TAPELINE_TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{
    "name": "notebook",
    "scopes": ["trades:read"],
    "networks": [],
    "rate_limits": {"requestsPerMinute": 30}
  }'
