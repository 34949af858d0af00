curl -s "$TAPELINE_URL/api/v1/trades/list" \
  -H "Authorization: Bearer $TAPELINE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "venues": ["sim"],
    "symbols": ["BTC-USDT"],
    "side": "buy",
    "size": {"gte": "0.01"},
    "order": "desc",
    "limit": 1
  }'
