curl -s "$TAPELINE_URL/api/v1/instruments" \
  -H "Authorization: Bearer $TAPELINE_KEY"
