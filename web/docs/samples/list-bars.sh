curl -s "$TAPELINE_URL/api/v1/trades/bars" \
  -H "Authorization: Bearer $TAPELINE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "venues": ["sim"],
    "symbols": ["BTC-USDT"],
    "interval": "1h",
    "order": "desc",
    "limit": 2
  }'
