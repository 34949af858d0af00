curl -s "$TAPELINE_URL/api/v1/l2events/list" \
  -H "Authorization: Bearer $TAPELINE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "venues": ["sim"],
    "symbols": ["BTC-USDT"],
    "types": ["snapshot"],
    "depth": 2,
    "order": "desc",
    "limit": 1
  }'
